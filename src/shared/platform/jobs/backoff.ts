import type { BackoffStrategy } from 'bullmq'

/** The name of this back-off in a job's options. */
export const backoffType = 'doubling'

/** The longest retry time that is honoured, in milliseconds. */
const LONGEST_WISH_MS = 3_600_000

/**
 * Returns the delay before a retry, in milliseconds. It doubles with each attempt and is reduced by up to half at
 * random, so that jobs which failed together do not retry together. It is never shorter than the retry time of the
 * error.
 */
export const backoff: BackoffStrategy = (attemptsMade, _type, error, job) => {
  const declared = job?.opts.backoff
  const firstMs = typeof declared === 'object' ? (declared.delay ?? 0) : (declared ?? 0)
  const doubledMs = firstMs * 2 ** (attemptsMade - 1)
  return Math.round(Math.max(doubledMs * (1 - Math.random() / 2), wishMs(error)))
}

/** Returns the retry time of an adapter's error, in milliseconds. */
function wishMs(error: (Error & { retryAfterSeconds?: number | null }) | undefined): number {
  return Math.min((error?.retryAfterSeconds ?? 0) * 1_000, LONGEST_WISH_MS)
}
