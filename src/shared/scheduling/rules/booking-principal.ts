import type { Actor } from '../../platform/authz/actor.ts'
import { roleFlags } from '../../platform/authz/roles.ts'

/** On whose behalf the booking rules run: a member, or the school's desk when nobody is signed in. */
export type BookingPrincipal = Pick<Actor, 'organizationId' | 'orgUserId' | 'roles' | 'organization'>

/** An id that no member has, so the desk is on no booking. */
const SYSTEM_ACTOR_ID = 0

/** Returns a principal with desk rights for a school: the public can get what the desk could book. */
export function publicBookingPrincipal({
  organizationId,
  organization,
}: Pick<BookingPrincipal, 'organizationId' | 'organization'>): BookingPrincipal {
  return { organizationId, organization, orgUserId: SYSTEM_ACTOR_ID, roles: roleFlags({ dispatcher: true }) }
}
