import type { Actor } from '../platform/authz/actor.ts'
import { Invalid } from '../platform/kernel/errors.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'

/** Ramping is for those aboard. @throws Invalid (400, as the specification has it) for everyone else. */
export function mustBeSeated(row: ReservationRow, actor: Actor): void {
  if (!row.seats.some((seat) => seat.orgUserId === actor.orgUserId)) throw new Invalid('You are not on this booking.')
}
