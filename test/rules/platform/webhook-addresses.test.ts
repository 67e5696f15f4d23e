import { describe, expect, test } from 'vitest'
import { ownListeners } from '../../../src/shared/platform/adapters/webhooks/own-listeners.ts'
import {
  problemOfTarget,
  readTarget,
  type Target,
  type TargetPolicy,
} from '../../../src/shared/platform/adapters/webhooks/target.ts'
import { isAllowed, readAllowedNetworks } from '../../../src/shared/platform/config/allowed-networks.ts'
import { readConfig } from '../../../src/shared/platform/config/config.ts'
import { isPublicAddress } from '../../../src/shared/platform/config/networks.ts'

describe('an address on the network', () => {
  test.each([
    ['1.1.1.1'],
    ['93.184.216.34'],
    ['9.255.255.255'],
    ['11.0.0.0'],
    ['100.63.255.255'],
    ['100.128.0.0'],
    ['126.255.255.255'],
    ['172.15.255.255'],
    ['172.32.0.0'],
    ['192.0.1.0'],
    ['198.17.255.255'],
    ['198.20.0.0'],
    ['223.255.255.255'],
    ['2606:4700:4700::1111'],
    ['2001:1::'],
    ['2003::1'],
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test.each([
    ['0.0.0.0'],
    ['10.0.0.1'],
    ['100.64.0.1'],
    ['100.127.255.255'],
    ['127.0.0.1'],
    ['127.255.255.254'],
    ['169.254.169.254'],
    ['172.16.0.1'],
    ['172.31.255.255'],
    ['192.0.0.8'],
    ['192.168.1.1'],
    ['198.18.0.1'],
    ['198.19.255.255'],
    ['224.0.0.1'],
    ['240.0.0.1'],
    ['255.255.255.255'],
    ['::'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:1.1.1.1'],
    ['::127.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['64:ff9b:1::7f00:1'],
    ['2001::1'],
    ['2001:0:53aa:64c:0:fbf8:82a8:1'],
    ['2002:7f00:1::'],
    ['fc00::1'],
    ['fd00:ec2::254'],
    ['fe80::1'],
    ['fec0::1'],
    ['ff02::1'],
    ['100::1'],
    ['no address'],
    [''],
  ])('%s is refused', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })
})

describe('the operator’s list of networks', () => {
  const allowed = readAllowedNetworks('10.1.0.0/16:8443, 127.0.0.1/32:9000,[fd12::]/16:8443,[::1]/128:9000')

  test.each([
    ['10.1.2.3', 8443, true],
    ['10.2.0.1', 8443, false],
    ['10.1.2.3', 443, false],
    ['127.0.0.1', 9000, true],
    ['127.0.0.2', 9000, false],
    ['::1', 9000, true],
    ['fd12::7', 8443, true],
    ['fd13::7', 8443, false],
  ])('decides about %s and port %i by network and port', (address, port, expected) => {
    expect(isAllowed(allowed, address, port)).toBe(expected)
  })

  test('never allows a metadata service, in whichever network it lies', () => {
    const wide = readAllowedNetworks('169.254.169.0/32:80,100.100.0.0/16:80,fd00::/8:80')
    expect(isAllowed(wide, '169.254.169.254', 80)).toBe(false)
    expect(isAllowed(wide, '100.100.100.200', 80)).toBe(false)
    expect(isAllowed(wide, 'fd00:ec2::254', 80)).toBe(false)
    expect(isAllowed(wide, '100.100.100.201', 80)).toBe(true)
  })

  test.each([
    ['10.0.0.0/8'],
    ['10.0.0.0:80'],
    ['10.0.0.0/33:80'],
    ['10.0.0.0/8:0'],
    ['10.0.0.0/8:65536'],
    ['example.com/8:80'],
    ['127.0.0.0/8:80'],
    ['127.0.0.0/31:80'],
    ['169.254.0.0/16:80'],
    ['fe80::/10:80'],
    ['0.0.0.0/0:80'],
    ['::/0:80'],
    ['169.254.169.254/32:80'],
    ['fd00:ec2::254/128:80'],
    ['0.0.0.0/8:80'],
    ['0.0.0.0/32:80'],
    ['[::]/128:80'],
    ['[::ffff:0:0]/96:80'],
    ['[::ffff:10.1.0.1]/128:80'],
    ['[::]/7:80'],
    ['[64:ff9b::]/96:80'],
    ['[64:ff9b::a9fe:a9fe]/128:80'],
    ['[64:ff9b:1::]/48:80'],
    ['[64:ff9b:1:2::]/64:80'],
    ['[2001::]/32:80'],
    ['[2002:7f00:1::]/48:80'],
  ])('refuses the entry %s', (entry) => {
    expect(() => readAllowedNetworks(entry)).toThrow(`"${entry}"`)
  })
})

test('the service’s own listeners are those that its settings name', () => {
  const { ports, places, publicHost } = ownListeners(
    readConfig(
      {
        PORT: '8000',
        MAIL_WEB_PORT: '8025',
        MAIL_SMTP_PORT: '8026',
        STRIPE_SIMULATOR_PORT: '8027',
        PUBLIC_URL: 'https://School.example',
        DATABASE_URL: 'postgres://pooler.internal:6432/flightline',
        MIGRATION_DATABASE_URL: 'postgres://db.internal/flightline',
        QUEUE_DATABASE_URL: 'postgres://queue.internal/flightline',
        DATABASE_READ_URL: 'postgres://replica.internal/flightline',
        REDIS_URL: 'redis+sentinel://redis.internal,other.internal:26380/main',
        SMTP_URL: 'smtps://mail.internal',
        S3_ENDPOINT: 'http://files.internal:9000',
      },
      { HOST: '127.0.0.1' },
    ),
  )
  expect([...ports]).toEqual([8000, 8025, 8026, 8027])
  expect(places.map(({ host, port }) => `${host}:${port}`)).toEqual([
    'school.example:443',
    'pooler.internal:6432',
    'db.internal:5432',
    'queue.internal:5432',
    'replica.internal:5432',
    'mail.internal:465',
    'files.internal:9000',
    'redis.internal:26379',
    'other.internal:26380',
  ])
  expect(publicHost).toBe('school.example')
})

describe('the address of a receiver (decision 18)', () => {
  const policy: TargetPolicy = {
    allowed: readAllowedNetworks('10.1.0.0/16:8443,10.1.0.0/16:3000,10.1.0.0/16:5432'),
    own: {
      ports: new Set([3000]),
      places: [
        { host: 'school.example', port: 443 },
        { host: 'db.internal', port: 5432 },
      ],
      publicHost: 'school.example',
    },
    ownAddresses: new Set(['198.51.100.7', '10.1.0.9']),
  }
  const problem = (url: string, ...addresses: string[]) => {
    const target = readTarget(url)
    return typeof target === 'string' ? target : problemOfTarget(target, addresses, policy)
  }

  test.each([
    ['https://hooks.example.com/a?b=c', '93.184.216.34'],
    ['https://hooks.example.com:8443/', '93.184.216.34'],
    ['https://hooks.example.com/', '2606:4700::1111'],
    ['https://receiver.internal:8443/', '10.1.2.3'],
    ['http://receiver.internal:8443/', '10.1.2.3'],
    ['http://10.1.2.3:8443/', '10.1.2.3'],
  ])('%s at %s is fine', (url, address) => {
    expect(problem(url, address)).toBeNull()
  })

  test.each([
    ['nonsense', '', 'must be an https address'],
    ['ftp://hooks.example.com/', '93.184.216.34', 'must be an https address'],
    ['http://hooks.example.com/', '93.184.216.34', 'must be an https address'],
    ['https://me:secret@hooks.example.com/', '93.184.216.34', 'must not carry a user or a password'],
    ['https://me@hooks.example.com/', '93.184.216.34', 'must not carry a user or a password'],
    ['https://93.184.216.34/', '93.184.216.34', 'must name a host, not an IP address'],
    ['https://hooks.example.com:80/', '93.184.216.34', 'must use port 443 or one from 1024'],
    ['https://hooks.example.com:1023/', '93.184.216.34', 'must use port 443 or one from 1024'],
    ['https://hooks.example.com:5432/', '93.184.216.34', 'must use port 443 or one from 1024'],
    ['https://hooks.example.com:6379/', '93.184.216.34', 'must use port 443 or one from 1024'],
    ['https://hooks.example.com:25/', '93.184.216.34', 'must use port 443 or one from 1024'],
    [
      'https://hooks.example.com/',
      '10.0.0.1',
      'must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list',
    ],
    [
      'https://receiver.internal:8444/',
      '10.1.2.3',
      'must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list',
    ],
    ['https://school.example/hook', '93.184.216.34', 'must not be an address of this service'],
    ['https://SCHOOL.example./hook', '93.184.216.34', 'must not be an address of this service'],
    ['https://alias.example/hook', '198.51.100.7', 'must not be an address of this service'],
    ['http://receiver.internal:3000/', '10.1.2.3', 'must not be an address of this service'],
    ['http://alias.internal:5432/', '10.1.0.9', 'must not be an address of this service'],
  ])('%s at %s is refused: it %s', (url, address, expected) => {
    expect(problem(url, address)).toBe(expected)
  })

  test('is refused when one of its addresses is', () => {
    expect(problem('https://hooks.example.com/', '93.184.216.34', '127.0.0.1')).toBe(
      'must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list',
    )
  })

  test.each([['https://2130706433/'], ['https://0x7f.1/'], ['https://0177.0.0.1/'], ['https://[::ffff:127.0.0.1]/']])(
    '%s is read as the IP address that it stands for',
    (url) => {
      const target = readTarget(url) as Target
      expect(target.isAddress).toBe(true)
      expect(problemOfTarget(target, [target.host], policy)).toBe(
        'must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list',
      )
    },
  )
})
