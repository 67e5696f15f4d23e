import { deskStaff, hasRole, type Role, type RoleFlags, roles } from '../../platform/authz/roles.ts'

/**
 * Why a set of roles may not replace a member's, or null when it may. An owner must also be an admin, and the
 * organization keeps at least one owner and one admin; `others` are the roles of its other members.
 */
export function rolesRefusal(
  wanted: RoleFlags,
  others: readonly Pick<RoleFlags, 'owner' | 'admin'>[],
): { field: 'owner' | 'admin'; message: string } | null {
  if (wanted.owner && !wanted.admin) return { field: 'admin', message: 'an owner must also be an admin' }
  if (!wanted.owner && !others.some((other) => other.owner)) {
    return { field: 'owner', message: 'the organization must keep an owner; make somebody else one first' }
  }
  if (!wanted.admin && !others.some((other) => other.admin)) {
    return { field: 'admin', message: 'the organization must keep an admin; make somebody else one first' }
  }
  return null
}

/**
 * The roles that a member with these roles may not give by an invitation: an owner gives all, an admin all but owner,
 * a dispatcher student and renter. What is left open by anybody else, null for who is a member no more, gives a
 * student's at most.
 */
export function rolesBeyond(held: RoleFlags | null): readonly Role[] {
  if (held?.owner) return []
  if (held?.admin) return ['owner']
  const given = held && hasRole(held, deskStaff) ? ['student', 'renter'] : ['student']
  return roles.filter((role) => !given.includes(role))
}
