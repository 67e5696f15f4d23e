import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Seated } from './place.rules.ts'

/** Returns the people on the side that pays for this type of booking, in seat order. */
export function payersOf<Seat extends Pick<Seated, 'side'>>(type: ReservationType, seats: readonly Seat[]): Seat[] {
  return seats.filter(({ side }) => side === typeRules[type].pays)
}

/**
 * Returns whether a member may decide about what others pay for a booking: desk staff and instructors, unless they have a
 * seat on it that is not an instructor's, or pay for somebody on such a seat. They would gain when others pay.
 */
export function decidesForPayers(
  { roles, orgUserId }: { roles: RoleFlags; orgUserId: number },
  { seats }: { seats: readonly (Pick<Seated, 'side' | 'orgUserId'> & { payerId?: number | null })[] },
): boolean {
  const gains = seats.some((seat) => seat.side !== 'instructors' && [seat.orgUserId, seat.payerId].includes(orgUserId))
  if (gains) return false
  return hasRole(roles, deskStaff) || roles.instructor
}
