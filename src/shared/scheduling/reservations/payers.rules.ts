import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Seated } from './place.rules.ts'

/** Returns the people who pay for a booking, in seat order: those on the side that pays. */
export function payersOf<Seat extends Pick<Seated, 'side'>>(type: ReservationType, seats: readonly Seat[]): Seat[] {
  return seats.filter(({ side }) => side === typeRules[type].pays)
}

/**
 * Returns whether a member may decide about what others pay for a booking: desk staff who are not on it, and instructors who are not
 * on it or teach on it. Whoever is seated elsewhere gains when others pay.
 */
export function decidesForPayers(
  { roles, orgUserId }: { roles: RoleFlags; orgUserId: number },
  { seats }: { seats: readonly Pick<Seated, 'side' | 'orgUserId'>[] },
): boolean {
  if (seats.some((seat) => seat.orgUserId === orgUserId && seat.side !== 'instructors')) return false
  return hasRole(roles, deskStaff) || roles.instructor
}
