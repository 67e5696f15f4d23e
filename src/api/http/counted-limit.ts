import type { FastifyReply } from 'fastify'
import type { RateLimiterRes } from 'rate-limiter-flexible'

/** What a limit has left after a request. */
export interface Counted {
  points: number
  remaining: number
  /** Seconds until the limit resets. */
  reset: number
  exceeded: boolean
}

/**
 * Returns whether one limit is tighter than another: of two used-up limits the one that lasts longer, otherwise the one
 * with less remaining.
 */
export function isTighter(one: Counted, other: Counted): boolean {
  if (one.exceeded !== other.exceeded) return one.exceeded
  return one.exceeded ? one.reset > other.reset : one.remaining < other.remaining
}

/** Returns what remains of a limit before the request is counted: all of it without earlier requests. */
export function left(result: RateLimiterRes | null, points: number): Counted {
  if (result) return describe(result, points, result.remainingPoints <= 0)
  return { points, remaining: points, reset: 0, exceeded: false }
}

/** Returns what the limiter says of a limit. */
export function describe(result: RateLimiterRes, points: number, exceeded: boolean): Counted {
  return {
    points,
    remaining: result.remainingPoints,
    reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    exceeded,
  }
}

/** Sets the headers of a response. */
export function announce(reply: FastifyReply, counted: Omit<Counted, 'exceeded'>, policies: string[]): void {
  reply.header('ratelimit-policy', policies.join(', '))
  reply.header('ratelimit-limit', String(counted.points))
  reply.header('ratelimit-remaining', String(Math.max(0, counted.remaining)))
  reply.header('ratelimit-reset', String(counted.reset))
}
