const DAY_MS = 86_400_000

/** The days for which a partial upload is kept, from the client's last write. What rows are kept is in the declarations of tables. */
export const HALF_UPLOAD_DAYS = 1

/** Returns the instant before which what is kept so many days of 24 hours is expired. */
export function keptSince(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS)
}

/** Returns the instant at which what is made now and kept so many days expires. */
export function keptUntil(now: Date, days: number): Date {
  return new Date(now.getTime() + days * DAY_MS)
}
