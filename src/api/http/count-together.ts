import { RateLimiterRedis } from 'rate-limiter-flexible'
import { onOtherServer, type RedisClient } from '../../shared/platform/jobs/open-redis.ts'

/**
 * Adds points to keys that expire, and returns the sum and the milliseconds that are left of each. It does what the
 * limiter library does for one key.
 */
const script = `
local found = {}
for n, key in ipairs(KEYS) do
  local points, seconds = ARGV[2 * n - 1], ARGV[2 * n]
  redis.call('set', key, 0, 'EX', seconds, 'NX')
  found[2 * n - 1] = redis.call('incrby', key, points)
  local left = redis.call('pttl', key)
  if left == -1 then
    redis.call('expire', key, seconds)
    left = 1000 * seconds
  end
  found[2 * n] = left
end
return found`

/** Adds points to a key. Returns the sum and the milliseconds until the key expires. */
type Count = (key: string, points: number, seconds: number) => Promise<[number, number]>

interface Asked {
  points: number
  resolve(counted: [number, number]): void
  reject(error: unknown): void
}

/** What one turn of the event loop counts on one key. */
interface Counted {
  seconds: number
  asked: Asked[]
}

/**
 * Returns a function that counts in Redis. The counts of one turn of the event loop are one call, and those on the same
 * key one sum, of which each gets its own state, in the order in which they were asked for.
 */
export function countTogether(redis: RedisClient): Count {
  redis.defineCommand('flightlineCount', { lua: script })
  const send = (redis as unknown as { flightlineCount(...args: (string | number)[]): Promise<number[]> })
    .flightlineCount
  let waiting = new Map<string, Counted>()

  async function sendAll(): Promise<void> {
    const all = waiting
    waiting = new Map()
    const counted = [...all.values()]
    const added = counted.flatMap(({ asked, seconds }) => [sumOf(asked), seconds])
    try {
      const found = await send.call(redis, all.size, ...all.keys(), ...added)
      for (const [at, { asked }] of counted.entries()) {
        let sum = found[2 * at]! - sumOf(asked)
        for (const { points, resolve } of asked) {
          sum += points
          resolve([sum, found[2 * at + 1]!])
        }
      }
    } catch (error) {
      for (const { asked } of counted) for (const { reject } of asked) reject(error)
    }
  }

  return (key, points, seconds) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(sendAll)
      const counted = waiting.get(key) ?? { seconds, asked: [] }
      counted.asked.push({ points, resolve, reject })
      waiting.set(key, counted)
    })
}

function sumOf(asked: readonly Asked[]): number {
  return asked.reduce((sum, { points }) => sum + points, 0)
}

/** How long Redis rests after a question that failed. */
const REST_MS = 5_000

/**
 * Returns a function that asks Redis and rejects at once while the connection is not ready, or for five seconds after a
 * question failed; then one question tries again. A server that hangs so delays a few requests and not each. Another server, after a failover, is
 * asked at once.
 */
export function askWithRest(redis: RedisClient): <T>(question: () => Promise<T>) => Promise<T> {
  let restsUntil = 0
  const rest = () => {
    restsUntil = performance.now() + REST_MS
  }
  onOtherServer(redis, () => {
    restsUntil = 0
  })
  return async (question) => {
    if (redis.status !== 'ready') throw new Error('Redis connection is not ready')
    if (performance.now() < restsUntil) throw new Error('Redis gave no answer a moment ago')
    if (restsUntil > 0) rest()
    try {
      const answer = await question()
      restsUntil = 0
      return answer
    } catch (error) {
      rest()
      throw error
    }
  }
}

type Options = ConstructorParameters<typeof RateLimiterRedis>[0]

interface Shared {
  redis: RedisClient
  count: Count
  ask: ReturnType<typeof askWithRest>
}

/** A limiter in Redis that counts with `countTogether`. */
export class SharedLimiter extends RateLimiterRedis {
  readonly #redis: RedisClient
  readonly #count: Count
  readonly #ask: Shared['ask']

  constructor({ redis, count, ask, ...options }: Omit<Options, 'storeClient'> & Shared) {
    super({ ...options, storeClient: redis })
    this.#redis = redis
    this.#count = count
    this.#ask = ask
  }

  /** Replaces the library's own call. No limit is set to a value, and each has whole seconds. */
  async _upsert(key: string, points: number, milliseconds: number): Promise<[number, number]> {
    return this.#ask(() => this.#count(key, points, milliseconds / 1_000))
  }

  /** Replaces the library's own call. Null: nothing is counted. */
  async _get(key: string): Promise<unknown[] | null> {
    const found = await this.#ask(() => this.#redis.multi().get(key).pttl(key).exec())
    return found?.[0]?.[1] === null ? null : found
  }
}
