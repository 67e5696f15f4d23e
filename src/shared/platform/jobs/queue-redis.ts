import { once } from 'node:events'
import { createRedisBackend } from 'bullmq'
import type { RedisOptions } from 'ioredis'
import { ConfigError } from '../config/config.ts'
import { askEveryServer, onOtherServer, openRedis, type RedisClient } from './open-redis.ts'
import { KEPT, type QueueStore } from './queue-store.port.ts'

/** The hash tag keeps all keys in one slot of a Redis Cluster. */
const PREFIX = '{flightline}'
/** A Redis that does not answer within this time counts as unreachable. */
const ANSWER_MS = 5_000
/**
 * The time limit of the first answer. It is longer, because a process on a busy machine also does other work while it
 * starts.
 */
const FIRST_ANSWER_MS = 15_000
const KEEP_ALIVE_MS = 10_000

/**
 * Opens the queues in Redis. While Redis is unreachable, producers fail without waiting (the outbox keeps the jobs) and
 * workers wait. `check` tests whether Redis can be used.
 */
export function connectRedis(url: string, onError: (error: Error) => void): QueueStore {
  const both: RedisOptions = { keepAlive: KEEP_ALIVE_MS }
  const producer = openRedis(url, {
    ...both,
    maxRetriesPerRequest: 1,
    enableOfflineQueue: false,
    commandTimeout: ANSWER_MS,
  })
  const consumer = openRedis(url, { ...both, maxRetriesPerRequest: null })
  const disconnect = () => {
    producer.disconnect()
    consumer.disconnect()
  }
  for (const connection of [producer, consumer]) connection.on('error', onError)
  let reached = 0
  onOtherServer(producer, () => {
    reached += 1
  })
  return {
    kind: 'redis',
    factory: createRedisBackend as never,
    producer: { connection: producer, prefix: PREFIX, skipWaitingForReady: true },
    consumer: { connection: consumer, prefix: PREFIX },
    completed: KEPT,
    check: async () => {
      await reach(producer)
      await assertKeepsKeys(producer, url)
    },
    ping: async () => {
      await producer.ping()
    },
    now: async () => {
      const [seconds, microseconds] = await producer.time()
      return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000)
    },
    tend: null,
    connectionEpoch: () => reached,
    connections: () => null,
    close: async () => {
      await Promise.allSettled([producer.quit(), consumer.quit()])
      disconnect()
    },
  }
}

/**
 * Waits until Redis is connected.
 * @throws Error with the reason, when an attempt to connect fails or there is no answer within `FIRST_ANSWER_MS`
 */
async function reach(redis: RedisClient): Promise<void> {
  if (redis.status === 'ready') return
  await once(redis, 'ready', { signal: AbortSignal.timeout(FIRST_ANSWER_MS) }).catch((error: Error) => {
    const why = error.name === 'AbortError' ? `no answer in ${FIRST_ANSWER_MS / 1000} s` : error.message
    throw new Error(`Redis cannot be reached: ${why}`)
  })
}

/**
 * Refuses a Redis of which a server evicts keys when its memory is full: jobs would disappear.
 * @throws ConfigError with the setting to change
 */
async function assertKeepsKeys(redis: RedisClient, url: string): Promise<void> {
  const policies = await askEveryServer(redis, url, async (server) => {
    const [, policy = 'noeviction'] = /^maxmemory_policy:(\S+)/m.exec(await server.info('memory')) ?? []
    return policy
  })
  const other = policies.find((policy) => policy !== 'noeviction')
  if (other === undefined) return
  throw new ConfigError(
    `REDIS_URL: Redis evicts keys (maxmemory-policy ${other}), jobs among them: set it to noeviction`,
  )
}
