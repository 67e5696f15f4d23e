/** The columns of a booking that decide its place on the board. */
export interface BoardRow {
  starts_at: Date
  ends_at: Date
  ramped_out_at: Date | null
  expected_back_at: Date | null
}

/** A booking is `next` in this many hours before its start. */
export const SOON_HOURS = 4
const MINUTE_MS = 60_000

/**
 * Places bookings in the lists of the board. `out`: ramped out, ordered by expected return. `late`: flights whose expected return has
 * passed; they are in `out` too. `due`: not ramped out although the start has passed. `next`: starts within four hours. Implements
 * interface §Dispatch.
 */
export function boardOf<Row extends BoardRow>(rows: readonly Row[], now: Date) {
  const out = rows.filter((row) => row.ramped_out_at !== null).sort((a, b) => backOf(a) - backOf(b))
  const booked = rows.filter((row) => row.ramped_out_at === null)
  const soon = now.getTime() + SOON_HOURS * 60 * MINUTE_MS
  return {
    out,
    late: out.filter((row) => backOf(row) < now.getTime()),
    due: booked.filter((row) => row.starts_at < now),
    next: booked.filter((row) => row.starts_at >= now && row.starts_at.getTime() <= soon),
  }
}

/**
 * Returns the whole minutes since a flight was expected back or, before ramp-out, since the start of the booking; at
 * least 0.
 * Implements interface §Dispatch.
 */
export function minutesLate(row: BoardRow, now: Date): number {
  const since = row.ramped_out_at === null ? row.starts_at.getTime() : backOf(row)
  return Math.max(0, Math.floor((now.getTime() - since) / MINUTE_MS))
}

/**
 * Returns the expected return in milliseconds; the booked end before the ramp-out.
 */
function backOf({ expected_back_at, ends_at }: BoardRow): number {
  return (expected_back_at ?? ends_at).getTime()
}
