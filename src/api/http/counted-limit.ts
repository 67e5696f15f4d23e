import type { FastifyReply } from 'fastify'
import type { RateLimiterRes } from 'rate-limiter-flexible'

/** The state of a limit after a request. */
export interface Counted {
  points: number
  remaining: number
  /** Seconds until the limit resets. */
  reset: number
  exceeded: boolean
}

/**
 * Returns whether the first limit is tighter than the second. A limit that is used up is tighter than one that is not.
 * Of two that are used up, the one that resets later is tighter; of two others, the one with less remaining.
 */
export function isTighter(one: Counted, other: Counted): boolean {
  if (one.exceeded !== other.exceeded) return one.exceeded
  return one.exceeded ? one.reset > other.reset : one.remaining < other.remaining
}

/** Returns the state of a limit before the request is counted. `result` is null when there were no earlier requests. */
export function left(result: RateLimiterRes | null, points: number): Counted {
  if (result) return describe(result, points, result.remainingPoints <= 0)
  return { points, remaining: points, reset: 0, exceeded: false }
}

/** Converts a result of the limiter library. */
export function describe(result: RateLimiterRes, points: number, exceeded: boolean): Counted {
  return {
    points,
    remaining: result.remainingPoints,
    reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
    exceeded,
  }
}

/** Sets the `RateLimit-…` headers of a response. */
export function announce(reply: FastifyReply, counted: Omit<Counted, 'exceeded'>, policies: string[]): void {
  reply.header('ratelimit-policy', policies.join(', '))
  reply.header('ratelimit-limit', String(counted.points))
  reply.header('ratelimit-remaining', String(Math.max(0, counted.remaining)))
  reply.header('ratelimit-reset', String(counted.reset))
}
