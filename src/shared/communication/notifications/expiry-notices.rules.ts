/**
 * Days of 24 hours before the end of a currency, an endorsement or a document at which members are notified. Each
 * notice is sent once per end; only the latest due one is sent.
 */
export const NOTICE_DAYS = [30, 14, 3] as const

const DAY_MS = 86_400_000

/**
 * Returns which notice of an end is due at `now`: the smallest of `NOTICE_DAYS` that has begun. Returns null before the
 * first notice and from the end on. Notices of `validDays` or more are left out: they would begin no later than the
 * validity does.
 * Implements interface §Notifications (notices before an end).
 */
export function noticeDue(now: Date, endsAt: Date, validDays = Number.POSITIVE_INFINITY): number | null {
  const left = endsAt.getTime() - now.getTime()
  if (left <= 0) return null
  return NOTICE_DAYS.findLast((days) => days < validDays && left <= days * DAY_MS) ?? null
}
