import type { Actor } from '../platform/authz/actor.ts'
import { Invalid } from '../platform/kernel/errors.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'

/**
 * Checks that the actor has a seat on the booking. Implements interface §Reservations, rampOut and rampIn (status 400).
 * @throws Invalid when the actor has none.
 */
export function mustBeSeated(row: ReservationRow, actor: Actor): void {
  if (!row.seats.some((seat) => seat.orgUserId === actor.orgUserId)) throw new Invalid('You are not on this booking.')
}
