const DAY_MS = 86_400_000

/**
 * The days for which a partial upload is kept after the last write. The retention of rows is declared with their
 * tables.
 */
export const HALF_UPLOAD_DAYS = 1

/**
 * Returns the instant `days` days of 24 hours before `now`. Data that is kept for this time is expired when it is older
 * than the instant.
 */
export function keptSince(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/**
 * Returns the instant `days` days of 24 hours after `now`. Data that is created now and kept for this time expires
 * then.
 */
export function keptUntil(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
