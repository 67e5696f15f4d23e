import type { BackoffStrategy } from 'bullmq'

/** The name under which jobs ask for this back-off. */
export const backoffType = 'doubling'

/** Whoever is asked to wait longer than this by the other side asks again all the same. */
const LONGEST_WISH_MS = 3_600_000

/**
 * The pause before a retry, in milliseconds: it doubles with each attempt and loses up to half of itself by chance, so
 * that jobs which failed together do not return together; but it is never shorter than the other side asked for.
 */
export const backoff: BackoffStrategy = (attemptsMade, _type, error, job) => {
  const declared = job?.opts.backoff
  const firstMs = typeof declared === 'object' ? (declared.delay ?? 0) : (declared ?? 0)
  const doubledMs = firstMs * 2 ** (attemptsMade - 1)
  return Math.round(Math.max(doubledMs * (1 - Math.random() / 2), wishMs(error)))
}

/** What an adapter’s error says of when the other side wants to be asked again. */
function wishMs(error: (Error & { retryAfterSeconds?: number | null }) | undefined): number {
  return Math.min((error?.retryAfterSeconds ?? 0) * 1_000, LONGEST_WISH_MS)
}
