import { describe, expect, test } from 'vitest'
import { describeRedis, parseRedisUrl } from '../../../src/shared/platform/config/redis-url.ts'

const without = { username: undefined, password: undefined }
const open = { ...without, sentinel: without, tls: false }

describe('where Redis is (REDIS_URL)', () => {
  test.for([
    ['redis://cache:6380', { kind: 'server', url: 'redis://cache:6380', nodes: [{ host: 'cache', port: 6380 }] }],
    [
      'rediss://:secret@cache',
      { kind: 'server', url: 'rediss://:secret@cache', nodes: [{ host: 'cache', port: 6379 }] },
    ],
    [
      'redis+sentinel://a:26380,b,[::1]:26381/flightline',
      {
        kind: 'sentinel',
        name: 'flightline',
        nodes: [
          { host: 'a', port: 26380 },
          { host: 'b', port: 26379 },
          { host: '::1', port: 26381 },
        ],
        ...open,
      },
    ],
    [
      'rediss+sentinel://ops:p%40ss:word@a/main-1',
      {
        kind: 'sentinel',
        name: 'main-1',
        nodes: [{ host: 'a', port: 26379 }],
        username: 'ops',
        password: 'p@ss:word',
        sentinel: without,
        tls: true,
      },
    ],
    [
      'redis+sentinel://a/main?sentinelUsername=watch&sentinelPassword=p%26s+s:1',
      {
        kind: 'sentinel',
        name: 'main',
        nodes: [{ host: 'a', port: 26379 }],
        ...open,
        sentinel: { username: 'watch', password: 'p&s+s:1' },
      },
    ],
    [
      'redis+cluster://:only@a,b:7001',
      {
        kind: 'cluster',
        name: '',
        nodes: [
          { host: 'a', port: 6379 },
          { host: 'b', port: 7001 },
        ],
        ...open,
        password: 'only',
      },
    ],
  ])('is read of %s', ([url, place]) => {
    expect(parseRedisUrl(url as string)).toEqual(place)
  })

  test.for([
    'http://cache:6379',
    'redis://',
    'redis+sentinel://a:26379',
    'redis+sentinel:///flightline',
    'redis+sentinel://a:26379,/flightline',
    'redis+sentinel://a:0/flightline',
    'redis+sentinel://a:65536/flightline',
    'redis+sentinel://a:x/flightline',
    'redis+sentinel://u:%ZZ@a/flightline',
    'redis+sentinel://a/two words',
    'redis+sentinel://a/main?sentinelTLS=true',
    'redis+sentinel://a/main?sentinelPassword=%ZZ',
    'redis+sentinel://a?sentinelPassword=x',
    'redis+cluster://a?sentinelPassword=x',
    'redis+cluster://a:7000/3',
    'redis+cluster://a:7000?x=1',
    'redis+ring://a:7000',
  ])('is not read of %s', (url) => {
    expect(parseRedisUrl(url)).toBeNull()
  })

  test('is said without its password', () => {
    expect(describeRedis('redis://u:secret@cache:6380')).toBe('Redis at cache:6380')
    expect(describeRedis('redis+sentinel://u:secret@a,b/main?sentinelPassword=secret')).toBe(
      'Redis main by Sentinels at a:26379, b:26379',
    )
    expect(describeRedis('redis+cluster://u:secret@a,b')).toBe('Redis Cluster at a:6379, b:6379')
  })
})
