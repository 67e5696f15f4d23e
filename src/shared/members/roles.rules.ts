import type { RoleFlags } from '../authz/roles.ts'

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
