import { type ReservationType, typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import { deskStaff, hasRole, type RoleFlags } from '../../platform/authz/roles.ts'
import type { Seated } from './place.rules.ts'

/** Returns the people who pay for a booking, in seat order: those on the side that pays. */
export function payersOf<Seat extends Pick<Seated, 'side'>>(type: ReservationType, seats: readonly Seat[]): Seat[] {
  return seats.filter(({ side }) => side === typeRules[type].pays)
}

/**
 * Returns whether a member may decide about what others pay for a booking: desk staff, and instructors who do not pay for it
 * themselves.
 */
export function decidesForPayers(
  { roles, orgUserId }: { roles: RoleFlags; orgUserId: number },
  { type, seats }: { type: ReservationType; seats: readonly Pick<Seated, 'side' | 'orgUserId'>[] },
): boolean {
  if (hasRole(roles, deskStaff)) return true
  return roles.instructor && !payersOf(type, seats).some((payer) => payer.orgUserId === orgUserId)
}
