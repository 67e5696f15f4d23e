/** A booking, as far as the board places it. */
export interface BoardRow {
  starts_at: Date
  ends_at: Date
  ramped_out_at: Date | null
  expected_back_at: Date | null
}

/** How far ahead the board shows what is next. */
export const SOON_HOURS = 4
const MINUTE_MS = 60_000

/**
 * Places bookings on the board: `out` by their expected return, the `late` of them in both lists; those that are booked are
 * `due` once they should have left, and `next` when they start within four hours. Implements interface §Dispatch.
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

/** Returns the whole minutes since a flight was expected back, or should have left; 0 while it is in time. */
export function minutesLate(row: BoardRow, now: Date): number {
  const since = row.ramped_out_at === null ? row.starts_at.getTime() : backOf(row)
  return Math.max(0, Math.floor((now.getTime() - since) / MINUTE_MS))
}

/** A flight that left before returns were expected is expected at its booked end. */
function backOf({ expected_back_at, ends_at }: BoardRow): number {
  return (expected_back_at ?? ends_at).getTime()
}
