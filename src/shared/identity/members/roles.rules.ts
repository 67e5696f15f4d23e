import { admins, deskStaff, hasRole, type Role, type RoleFlags, roles } from '../../platform/authz/roles.ts'
import type { PlainError } from '../../platform/kernel/error-catalogue.ts'
import { identityErrors } from '../identity.errors.ts'

/**
 * Returns why a set of roles may not replace a member's roles; null when it may. An owner must also be an admin, and
 * the organization keeps at least one owner and one admin. `others` are the roles of its other members.
 * Implements interface §Members, PATCH /users/{userId}/roles.
 */
export function rolesRefusal(
  wanted: RoleFlags,
  others: readonly Pick<RoleFlags, 'owner' | 'admin'>[],
): { field: 'owner' | 'admin'; refusal: PlainError<400> } | null {
  if (wanted.owner && !wanted.admin) return { field: 'admin', refusal: identityErrors.ownerNotAdmin }
  if (!wanted.owner && !others.some((other) => other.owner)) {
    return { field: 'owner', refusal: identityErrors.ownerNeeded }
  }
  if (!wanted.admin && !others.some((other) => other.admin)) {
    return { field: 'admin', refusal: identityErrors.adminNeeded }
  }
  return null
}

/**
 * Returns the first of `owner` and `admin` that is wanted and not held yet; null when neither is. A managed member can
 * get neither of them.
 * Implements interface §Members, POST /orgUsers.
 */
export function leadingRole(wanted: RoleFlags, held?: RoleFlags): 'owner' | 'admin' | null {
  return admins.find((role) => wanted[role] && !held?.[role]) ?? null
}

/**
 * Returns the roles that a member may not grant by an invitation: an owner may grant all, an admin all but owner, a
 * dispatcher student and renter, anyone else (null: a former member) only student.
 * Implements interface §Organizations, POST /organizations/invite, and §Booking requests, POST
 * /booking-requests/{id}/convert.
 */
export function rolesBeyond(held: RoleFlags | null): readonly Role[] {
  if (held?.owner) return []
  if (held?.admin) return ['owner']
  const given = held && hasRole(held, deskStaff) ? ['student', 'renter'] : ['student']
  return roles.filter((role) => !given.includes(role))
}
