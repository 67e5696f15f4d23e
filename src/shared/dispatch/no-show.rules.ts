import type { ReservationColumns } from '../scheduling/reservations/booking-parts.types.ts'

/** A time when the service was not ready. */
export interface Outage {
  start: Date
  end: Date
}

/** The columns of a booking that decide when it is a no-show. */
export type ExpectedRow = Pick<
  ReservationColumns,
  'type' | 'made_after_start' | 'starts_at' | 'ramped_out_at' | 'cancelled_at'
> & { resource: { kind: string } | null }

const MINUTE_MS = 60_000
/** A no-show that was due longer ago than this is left to the desk: the service stood still, or the setting was turned on since. */
const LEFT_AFTER_MINUTES = 30
/** An outage exempts the bookings that start up to this long after it. */
const AFTER_OUTAGE_MINUTES = 30
/** An outage counts for a free cancellation when it fell into this long before its end. */
export const BEFORE_FREE_END_MS = 120 * MINUTE_MS

/**
 * Returns when a booking that is not ramped out is cancelled as a no-show; null when it never is: without the setting, for types and
 * resources that do not ramp out, and when it was made after its start.
 * Implements interface §Dispatch: no-shows.
 */
export function noShowAt(row: ExpectedRow, minutes: number | null): Date | null {
  const isRamped = row.ramped_out_at !== null || row.cancelled_at !== null
  const leaves = row.type !== 'ground' && row.type !== 'maintenance' && row.resource !== null
  if (minutes === null || isRamped || !leaves || row.resource?.kind === 'room' || row.made_after_start) {
    return null
  }
  return new Date(row.starts_at.getTime() + minutes * MINUTE_MS)
}

/** Returns when a booking that has started is cancelled as a no-show; null when it never is, or is left to the desk. */
export function noShowAhead(row: ExpectedRow, minutes: number | null, now: Date): Date | null {
  const at = row.starts_at < now ? noShowAt(row, minutes) : null
  return at && (at > now || isNoShowNow(at, now)) ? at : null
}

/** Returns whether a no-show is cancelled now: it is due, and not for so long that something kept it from being cancelled. */
export function isNoShowNow(at: Date, now: Date): boolean {
  const late = now.getTime() - at.getTime()
  return late >= 0 && late <= LEFT_AFTER_MINUTES * MINUTE_MS
}

/** Returns whether the service was not ready at some time from 30 minutes before the start on. */
export function hadOutage(start: Date, outages: readonly Outage[]): boolean {
  const since = start.getTime() - AFTER_OUTAGE_MINUTES * MINUTE_MS
  return outages.some(({ end }) => end.getTime() >= since)
}

/**
 * Returns until when a booking can be cancelled free of fee, when the service was not ready in the two hours before: later by the length of the
 * outages and 30 minutes.
 */
export function extendedByOutages(freeUntil: Date, outages: readonly Outage[]): Date {
  const from = freeUntil.getTime() - BEFORE_FREE_END_MS
  const counting = outages.filter(({ start, end }) => start <= freeUntil && end.getTime() >= from)
  if (counting.length === 0) return freeUntil
  const length = counting.reduce((sum, { start, end }) => sum + end.getTime() - start.getTime(), 0)
  return new Date(freeUntil.getTime() + length + AFTER_OUTAGE_MINUTES * MINUTE_MS)
}
