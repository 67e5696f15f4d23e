import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { RedisClient } from '../../shared/platform/jobs/open-redis.ts'
import { platformErrors } from '../../shared/platform/platform.errors.ts'
import { askWithRest, countTogether, SharedLimiter } from './count-together.ts'
import { announce, type Counted, describe, isTighter, left } from './counted-limit.ts'
import { countsDone, type Limit, type LimitName, limits } from './limits.ts'

const WAITS_FOR_PLACE_MS = 20

export interface Attempt<T> {
  run(): Promise<T>
  /** Returns whether an error counts as a failed attempt; other errors do not. */
  failed(error: unknown): boolean
}

/** Counts requests: in this process, or in Redis for several processes. */
export interface RateLimits {
  /**
   * Counts one request against each limit, and twice against a limit that is listed twice. Sets the headers of the
   * limit with the least remaining.
   * @throws TooManyRequests when a limit is exceeded.
   */
  consume(reply: FastifyReply, counted: readonly (readonly [LimitName, string])[]): Promise<void>
  /**
   * Counts a request against limits without refusing it. Later requests have less remaining. Returns whether a limit is
   * exceeded.
   */
  note(counted: (readonly [LimitName, string])[]): Promise<boolean>
  /**
   * Runs an attempt of which only failures count, such as a check of a password. Each running attempt reserves one of
   * the remaining failures of each limit. An attempt that finds none free waits until another attempt ends.
   * @throws TooManyRequests, without running the attempt, when failures have used up a limit.
   */
  attempt<T>(reply: FastifyReply, counted: readonly (readonly [LimitName, string])[], attempt: Attempt<T>): Promise<T>
  /** Undoes the count of a refused request for limits of completed work, and sets the headers of these limits. */
  giveBack(reply: FastifyReply, counted: (readonly [LimitName, string])[]): Promise<void>
  /** Sets the headers that every response has. For a counted request, `consume` replaces them. */
  announce(reply: FastifyReply): void
}

/**
 * Creates the limiters. When Redis is not available, each process counts separately.
 * @throws TooManyRequests from `consume` and `attempt` when a limit is exceeded.
 */
export function createRateLimits({ redis, factor }: { redis: RedisClient | undefined; factor: number }): RateLimits {
  const shared = redis && { redis, count: countTogether(redis), ask: askWithRest(redis) }
  const limiters = Object.fromEntries(
    Object.entries<Limit>(limits).map(([name, limit]) => {
      const settings = {
        keyPrefix: `{flightline}:limit:${name}`,
        points: limit.fixed ? limit.points : Math.ceil(limit.points * factor),
        duration: limit.seconds,
      }
      const memory = new RateLimiterMemory(settings)
      const limiter = shared ? new SharedLimiter({ ...settings, ...shared, insuranceLimiter: memory }) : memory
      return [name, { limiter, points: settings.points, policy: `${settings.points};w=${limit.seconds}` }]
    }),
  ) as Record<LimitName, Limiter>

  const underWay = new Map<string, number>()

  const announceTightest = (reply: FastifyReply, results: Counted[], of: readonly (readonly [LimitName, string])[]) => {
    const tightest = results.reduce((a, b) => (isTighter(b, a) ? b : a))
    announce(reply, tightest, [...new Set(of.map(([name]) => limiters[name].policy))])
  }

  return {
    async attempt(reply, counted, { run, failed }) {
      const held = (place: string) => underWay.get(place) ?? 0
      const places = counted.map(([name, key]) => `${name}:${key}`)
      for (;;) {
        const used = await Promise.all(
          counted.map(async ([name, key]) => left(await limiters[name].limiter.get(key), limiters[name].points)),
        )
        const exceeded = used.filter((one) => one.exceeded)
        if (exceeded.length > 0) {
          announceTightest(reply, exceeded, counted)
          throw platformErrors.tooManyRequests({ retryAfterSeconds: Math.max(...exceeded.map(({ reset }) => reset)) })
        }
        if (places.every((place, index) => held(place) < used[index]!.remaining)) break
        await pause(WAITS_FOR_PLACE_MS)
      }
      for (const place of places) underWay.set(place, held(place) + 1)
      try {
        return await run()
      } catch (error) {
        if (failed(error)) await this.consume(reply, counted)
        throw error
      } finally {
        for (const place of places) {
          if (held(place) > 1) underWay.set(place, held(place) - 1)
          else underWay.delete(place)
        }
      }
    },
    async consume(reply, counted) {
      const results = await Promise.all(counted.map(([name, key]) => countOne(limiters[name], key)))
      announceTightest(reply, results, counted)
      const exceeded = results.filter((result) => result.exceeded)
      if (exceeded.length > 0)
        throw platformErrors.tooManyRequests({ retryAfterSeconds: Math.max(...exceeded.map((result) => result.reset)) })
    },
    async note(counted) {
      const results = await Promise.all(counted.map(([name, key]) => countOne(limiters[name], key)))
      return results.some(({ exceeded }) => exceeded)
    },
    async giveBack(reply, counted) {
      const taken = counted.filter(([name]) => countsDone(name))
      if (taken.length === 0) return
      const given = taken.map(async ([name, key]) => {
        const { limiter, points } = limiters[name]
        return describe(await limiter.reward(key), points, false)
      })
      announceTightest(reply, await Promise.all(given), taken)
    },
    announce(reply) {
      const { points, policy } = limiters.address
      announce(reply, { points, remaining: points, reset: limits.address.seconds }, [policy])
    },
  }
}

interface Limiter {
  limiter: RateLimiterMemory | SharedLimiter
  points: number
  /** A limit in the form `300;w=60`: 300 requests in 60 seconds. */
  policy: string
}

async function countOne({ limiter, points }: Limiter, key: string): Promise<Counted> {
  try {
    return describe(await limiter.consume(key), points, false)
  } catch (refusal) {
    if (refusal instanceof RateLimiterRes) return describe(refusal, points, true)
    throw refusal
  }
}
