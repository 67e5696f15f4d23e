const HOUR_MS = 3_600_000

/**
 * Returns the start for which a new or moved booking's reminder counts as sent: this start, when the reminder window of
 * `hoursBefore` has begun already, since the people on it are notified of the booking now; else null.
 */
export function reminderDoneAt(now: Date, start: Date, hoursBefore: number): Date | null {
  return start.getTime() - now.getTime() <= hoursBefore * HOUR_MS ? start : null
}
