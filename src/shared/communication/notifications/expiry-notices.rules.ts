/**
 * How many days of 24 hours before its end members are notified of a currency, an endorsement or a document: each once
 * for every end, the latest that is due.
 */
export const NOTICE_DAYS = [30, 14, 3] as const

const DAY_MS = 86_400_000

/**
 * Returns which notice of an end is due at an instant: the least of `NOTICE_DAYS` that has begun; null before the first
 * and from the end on. `validDays` leaves out those that would begin when what ends was earned.
 */
export function noticeDue(now: Date, endsAt: Date, validDays = Number.POSITIVE_INFINITY): number | null {
  const left = endsAt.getTime() - now.getTime()
  if (left <= 0) return null
  return NOTICE_DAYS.findLast((days) => days < validDays && left <= days * DAY_MS) ?? null
}
