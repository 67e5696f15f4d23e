import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConfigError } from '../../../src/shared/platform/config/config.ts'
import { openQueueBackend } from '../../../src/shared/platform/jobs/queue-backend.ts'
import { startRedis, type TestRedis, testedBackends } from '../../support/backends.ts'

describe.runIf(testedBackends().includes('redis'))('a Redis that evicts keys', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  const open = (more = {}) =>
    openQueueBackend({ redisUrl: redis.url, databaseUrl: '', onError: () => undefined, ...more })

  test.each(['allkeys-lru', 'volatile-ttl'])('by %s is refused at the start, in one line', async (policy) => {
    const client = new Redis(redis.url)
    await client.config('SET', 'maxmemory-policy', policy)
    client.disconnect()
    const refusal = await open().catch((error: Error) => error)
    expect(await open({ mayBeAway: true }).catch((error: Error) => error)).toEqual(refusal)
    expect(refusal).toBeInstanceOf(ConfigError)
    expect((refusal as Error).message).toBe(
      `REDIS_URL: Redis evicts keys (maxmemory-policy ${policy}), jobs among them: set it to noeviction`,
    )
  })

  test('no more is taken', async () => {
    const client = new Redis(redis.url)
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    client.disconnect()
    const queues = await open()
    await queues.ping()
    await queues.close()
  })
})
