import type { Actor } from '../../platform/authz/actor.ts'
import { roleFlags } from '../../platform/authz/roles.ts'

/** Whose eyes the booking rules look through: a member's, or the school's own desk when nobody is signed in. */
export type BookingPrincipal = Pick<Actor, 'organizationId' | 'orgUserId' | 'roles' | 'organization'>

/** An id that no member has: the desk as such is nobody, and sits on nothing. */
const SYSTEM_ACTOR_ID = 0

/** The desk of a school, which may make every booking: what the public could be given is what the desk could book. */
export function publicBookingPrincipal({
  organizationId,
  organization,
}: Pick<BookingPrincipal, 'organizationId' | 'organization'>): BookingPrincipal {
  return { organizationId, organization, orgUserId: SYSTEM_ACTOR_ID, roles: roleFlags({ dispatcher: true }) }
}
