const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The pause after the first failed attempt. It doubles with each further one. */
const FIRST_PAUSE_MS = 5 * SECOND_MS
const LONGEST_PAUSE_MS = 2 * HOUR_MS
/** How long an event is retried after its first attempt. */
const TRIED_FOR_MS = DAY_MS
/** An endpoint without a success for this long is disabled. */
const FAILING_FOR_MS = 5 * DAY_MS

/** A failed attempt. */
export interface FailedAttempt {
  /** Counts from 1. */
  attempt: number
  firstAttemptAt: Date
  now: Date
  /** The receiver's Retry-After header, in seconds. */
  retryAfterSeconds: number | null
  /** A random number from 0 to 1. */
  random: number
}

/**
 * Returns when to try again; null when the event has failed for good, a day after its first attempt. The pause doubles
 * from 5 seconds to 2 hours. It is reduced by a random part of up to half, so that deliveries that failed together are
 * not retried together. A Retry-After header can make the pause longer, up to the end of that day.
 * Implements docs/decisions/0018.
 */
export function nextAttemptAt({ attempt, firstAttemptAt, now, retryAfterSeconds, random }: FailedAttempt): Date | null {
  const end = firstAttemptAt.getTime() + TRIED_FOR_MS
  const doubled = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
  const pause = Math.max(Math.round(doubled * (1 - random / 2)), (retryAfterSeconds ?? 0) * SECOND_MS)
  if (now.getTime() >= end) return null
  return new Date(Math.min(now.getTime() + pause, end))
}

/**
 * Returns whether an endpoint that has failed since `failingSince` must be disabled now.
 * Implements docs/decisions/0018.
 */
export function isToBeDisabled(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= FAILING_FOR_MS
}
