import { orgUserSortKeys, selectOrgUsers } from '../../identity/members/org-user.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'

/**
 * Returns the members approved on a resource, by name; with roles given, those who have any of them. Implements
 * interface §Resources (approvedUsers).
 */
export function listApprovedMembers(db: Db, reader: Actor, resourceId: number, roles: Role[]) {
  const approved = selectOrgUsers(db, reader.organizationId).where((eb) =>
    eb.exists(
      eb
        .selectFrom('resource_approval')
        .select('resource_approval.id')
        .whereRef('resource_approval.organization_id', '=', 'membership.organization_id')
        .whereRef('resource_approval.membership_id', '=', 'membership.id')
        .where('resource_approval.resource_id', '=', resourceId),
    ),
  )
  const keys = orgUserSortKeys(reader)
  if (roles.length === 0) return pageable(db, approved, keys)
  return pageable(
    db,
    approved.where((eb) => eb.or(roles.map((role) => eb(`membership.${role}`, '=', true)))),
    keys,
  )
}
