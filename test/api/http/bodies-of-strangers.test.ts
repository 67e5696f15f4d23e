import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest({ env: { RATE_LIMIT_FACTOR: '1000' } })

const root = join(import.meta.dirname, '../../..')
const KEYS = 80_000
const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'
const times = (count: number, part: (i: number) => string, between = '') =>
  Array.from({ length: count }, (_, i) => part(i)).join(between)
const fieldOf = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** Routes that read bodies in a way of their own, and the bodies that a stranger may send to each. */
const shapes: [url: string, what: string, type: string, body: string][] = [
  ['/webhooks/stripe', '80,000 names', 'application/json', `{${times(KEYS, (i) => `"k${i}":1`, ',')}}`],
  ['/webhooks/stripe', 'a value of 900 kB', 'application/json', `{"id":"${'x'.repeat(900_000)}"}`],
  ['/webhooks/stripe', 'deep lists', 'application/json', '['.repeat(450_000) + ']'.repeat(450_000)],
  ['/mail/unsubscribe/x', '80,000 names', form, times(KEYS, (i) => `k${i}=1`, '&')],
  ['/mail/unsubscribe/x', 'a value of 900 kB', form, `List-Unsubscribe=${'x'.repeat(900_000)}`],
  ['/mail/unsubscribe/x', 'deep lists', 'application/json', '['.repeat(450_000) + ']'.repeat(450_000)],
  ['/mail/unsubscribe/x', '80,000 parts', multipart, `${times(KEYS, (i) => fieldOf(`k${i}`, '1'))}--x--`],
  ['/offer', '80,000 names', form, times(KEYS, (i) => `k${i}=1`, '&')],
  ['/offer', 'a value of 900 kB', form, `token=${'x'.repeat(900_000)}`],
  ['/offer', 'deep lists', 'application/json', '['.repeat(450_000) + ']'.repeat(450_000)],
  ['/uploads', '80,000 parts', multipart, `${times(KEYS, (i) => fieldOf(`k${i}`, '1'))}--x--`],
  ['/uploads', 'a value of 900 kB', multipart, `${fieldOf('key', 'x'.repeat(900_000))}--x--`],
  ['/uploads', 'a name of 900 kB', multipart, `${fieldOf('x'.repeat(900_000), '1')}--x--`],
  ['/uploads', '80,000 headers of a part', multipart, `--x\r\n${times(KEYS, (i) => `k${i}: 1\r\n`)}\r\n1\r\n--x--`],
  ['/uploads', 'what is no part, of a megabyte', multipart, `--x\n${'x'.repeat(1_000_000)}`],
  ['/uploads', '80,000 empty parts', multipart, `${'--x\r\n\r\n\r\n'.repeat(KEYS)}--x--`],
]

/** The most milliseconds of processor time. A token costs nothing: whoever sends it is nobody. */
const MOST_MS = 40

describe('a body of somebody without a token (docs/security.md)', { timeout: 60_000 }, () => {
  test.for(shapes)('to %s with %s is refused and costs little', async ([url, , type, payload], { api }) => {
    const send = async () => {
      const headers = { 'content-type': type, 'stripe-signature': `t=1,v1=${'0'.repeat(64)}` }
      const from = process.threadCpuUsage()
      const { statusCode } = await api.app.inject({ method: 'POST', url, payload, headers })
      const { user, system } = process.threadCpuUsage(from)
      return { statusCode, ms: (user + system) / 1_000 }
    }
    expect([400, 404, 413, 415]).toContain((await send()).statusCode)
    const costs: number[] = []
    for (let run = 0; run < 5; run++) costs.push((await send()).ms)
    expect(Math.min(...costs)).toBeLessThan(MOST_MS)
  })

  test.for([form, multipart, 'application/json', 'text/plain'])(
    'to the link that ends mails, of the type %s, is read to 4 KiB alone, whatever it says',
    async (type, { api }) => {
      const send = (bytes: number) =>
        api.app.inject({
          method: 'POST',
          url: '/mail/unsubscribe/x',
          payload: 'x'.repeat(bytes),
          headers: { 'content-type': type },
        })
      // The token is wrong.
      expect((await send(4_096)).statusCode).toBe(404)
      expect((await send(4_097)).statusCode).toBe(413)
    },
  )

  // A new parser of a route's own gets its shapes above.
  test('is read by the parser of JSON, or by a route of this list', () => {
    const files = globSync('src/api/**/*.ts', { cwd: root })
    const parsing = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('addContentTypeParser('))
    expect(parsing.sort()).toEqual([
      'src/api/billing/payments/stripe-webhook.ts',
      'src/api/communication/notifications/unsubscribe.routes.ts',
      'src/api/http/json-parser.ts',
      'src/api/platform/storage/uploads.routes.ts',
      // A thousand bytes, in the all-in-one alone.
      'src/api/reference/front.routes.ts',
      'src/api/scheduling/waitlist/offer-page.ts',
    ])
  })
})
