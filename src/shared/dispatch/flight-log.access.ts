import { type Actor, is } from '../platform/authz/actor.ts'
import { admins, staff } from '../platform/authz/roles.ts'
import type { Db } from '../platform/db/database.ts'
import { lifecycleOf } from '../scheduling/reservations/reservation.access.ts'
import { findFlight, type ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { dispatchErrors } from './dispatch.errors.ts'
import { isLogClosed, writableLogs } from './flight-log.rules.ts'
import type { LogEntry } from './flight-log.types.ts'

/**
 * Returns a booking whose log the caller may read: members seated on it, and staff. Implements interface §Flight log.
 */
export async function findBookingToReadLog(db: Db, actor: Actor, id: number): Promise<ReservationRow> {
  const booking = await findFlight(db, actor.organizationId, id)
  if (!booking) throw schedulingErrors.noSuchBooking()
  const aboard = booking.seats.some((seat) => seat.orgUserId === actor.orgUserId)
  if (!aboard && !is(actor, staff)) throw dispatchErrors.notYourFlight()
  assertLoggable(booking)
  return booking
}

/**
 * Checks that the caller may write these logs. Desk staff and the booking's instructor may write all logs; other people on the booking
 * may write their own.
 * Implements interface §Flight log.
 */
export function assertWritesLogs(actor: Actor, { seats }: ReservationRow, rows: readonly LogEntry[]): void {
  const writable = writableLogs(actor.roles, actor.orgUserId, seats)
  if (writable === 'none') throw dispatchErrors.notYourFlight()
  if (writable === 'own' && rows.some((row) => row.orgUserId !== actor.orgUserId)) throw dispatchErrors.ownLogOnly()
}

/** Checks that the booking is of a flight or a simulator session. */
export function assertLoggable({ type }: ReservationRow): void {
  if (type === 'ground' || type === 'maintenance') throw dispatchErrors.noLog()
}

/** Checks that the log is open, or that an admin corrects it and gives a reason. Implements interface §Flight log. */
export function assertIsOpen(actor: Actor, booking: ReservationRow, reason: string | null, now: Date): void {
  const { billed } = lifecycleOf(booking)
  if (!isLogClosed({ billed, backAt: booking.ramped_in_at ?? booking.ends_at }, now)) return
  if (!is(actor, admins)) throw dispatchErrors.logClosed()
  if (reason === null) throw dispatchErrors.logReasonMissing()
}
