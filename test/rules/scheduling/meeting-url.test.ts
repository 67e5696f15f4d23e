import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isMeetingUrl } from '../../../src/shared/scheduling/booking-requests/meeting-url.rules.ts'

describe('the address of a video call (§Booking requests)', () => {
  test.each([
    'https://zoom.us/j/93512345678?pwd=abc',
    'https://us02web.zoom.us/j/1',
    'HTTPS://meet.google.com/abc-defg-hij',
    'https://meet.example.com:8443/room#1',
    'https://bücher.example.com/room',
    'https://10.example.com/room',
    'https://local.example.com/room',
    'https://mylocal.com/room',
    `https://meet.example.com/${'x'.repeat(1975)}`,
  ])('may be %s', (address) => {
    expect(isMeetingUrl(address)).toBe(true)
  })

  test.each([
    ['not https', ['http://zoom.us/j/1', 'ftp://zoom.us', 'javascript:alert(1)', 'data:text/html,hi', '//zoom.us/j/1']],
    [
      'no address',
      ['', 'zoom.us/j/1', 'https://', 'https:///', 'https:zoom.us', 'https:\\\\zoom.us\\j', ' https://zoom.us'],
    ],
    ['with a user in it', ['https://zoom.us@evil.example.com', 'https://me:secret@zoom.us/j/1', 'https://:x@zoom.us']],
    [
      'loopback',
      ['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f000001/', 'https://0177.0.0.1/'],
    ],
    ['loopback by another name', ['https://0x7f.1/', 'https://１２７.0.0.1/', 'https://127.0.0.1./', 'https://0/']],
    [
      'private and link-local',
      ['https://10.0.0.8/', 'https://192.168.1.1/', 'https://172.16.0.1/', 'https://169.254.169.254/'],
    ],
    [
      'IPv6',
      ['https://[::1]/', 'https://[fe80::1]/', 'https://[fd00::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[::]/'],
    ],
    ['a bare number, public too', ['https://8.8.8.8/', 'https://134744072/', 'https://[2606:4700::1111]/']],
    ['a name of a private network', ['https://localhost/', 'https://LOCALHOST.:443/', 'https://app.localhost/']],
    [
      'another such name',
      ['https://printer.local/', 'https://api.internal/', 'https://nas.lan/', 'https://x.home.arpa/'],
    ],
    ['a single label', ['https://intranet/', 'https://meet/room']],
    [
      'with blanks or control characters',
      ['https://zoom.us/j 1', 'https://zoom.us/\n', 'https://zo\tom.us/', 'https://zoom.us/\u0007'],
    ],
    ['too long', [`https://meet.example.com/${'x'.repeat(1976)}`]],
  ])('is refused when it is %s', (_, addresses) => {
    expect(addresses.filter(isMeetingUrl)).toEqual([])
  })

  test('is refused in every spelling of every IPv4 address', () => {
    const part = fc.integer({ min: 0, max: 255 })
    const spelled = (value: number, way: number) =>
      way === 0 ? String(value) : way === 1 ? `0x${value.toString(16)}` : `0${value.toString(8)}`
    fc.assert(
      fc.property(
        fc.tuple(part, part, part, part),
        fc.tuple(...Array(4).fill(fc.integer({ min: 0, max: 2 }))),
        (parts, ways) => {
          const host = parts.map((value, at) => spelled(value, ways[at] as number)).join('.')
          expect(isMeetingUrl(`https://${host}/`)).toBe(false)
          const whole = parts.reduce((sum, value) => sum * 256 + value, 0)
          expect(isMeetingUrl(`https://${whole}/`)).toBe(false)
        },
      ),
    )
  })
})
