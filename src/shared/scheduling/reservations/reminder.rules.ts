const HOUR_MS = 3_600_000

/**
 * For which start the reminder counts as done when a booking is made or moved: for this one, when the hours of the
 * reminder have begun already, since those concerned are told of the booking just now; else for none.
 */
export function reminderDoneAt(now: Date, start: Date, hoursBefore: number): Date | null {
  return start.getTime() - now.getTime() <= hoursBefore * HOUR_MS ? start : null
}
