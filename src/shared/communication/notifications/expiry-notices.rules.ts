/**
 * Members are notified this many days (of 24 hours) before the end of a currency, an endorsement or a document. Each
 * notice is sent once per end. When several are due, only the latest one is sent.
 */
export const NOTICE_DAYS = [30, 14, 3] as const

/** A student who is not ready for a practical test, and the instructor, are notified this many days (of 24 hours) before it. */
export const TEST_NOTICE_DAYS = [21, 7, 2] as const

const DAY_MS = 86_400_000

/**
 * Returns the notice that is due at `now`: the smallest of `NOTICE_DAYS` that has begun. Returns null before the first
 * notice, and from the end on. Skips notices of `validDays` or more, because they would begin when the validity does,
 * or earlier.
 * Implements interface §Notifications (notices before an end).
 */
export function noticeDue(now: Date, endsAt: Date, validDays = Number.POSITIVE_INFINITY): number | null {
  const left = endsAt.getTime() - now.getTime()
  if (left <= 0) return null
  return NOTICE_DAYS.findLast((days) => days < validDays && left <= days * DAY_MS) ?? null
}
