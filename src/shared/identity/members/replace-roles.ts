import type { Actor } from '../../platform/authz/actor.ts'
import { type RoleFlags, roleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import { lockOrganization } from '../organizations/organization.access.ts'
import { endOpenWork } from './end-open-work.ts'
import { assertIsOwner, findMember, otherLeaders } from './member.access.ts'
import { notifyOwners } from './notify-owners.ts'
import { leadingRole, rolesRefusal } from './roles.rules.ts'

/** A member whose roles were replaced, with the roles before and after. */
interface RolesReplaced {
  orgUserId: number
  before: RoleFlags
  after: RoleFlags
}

/**
 * Replaces the roles of a member by the result of `wanted`, with effect from their next request, and ends open work
 * that the new roles do not allow. The organization's lock serializes concurrent demotions, so that an owner and an
 * admin always remain.
 * Implements interface §Members, PATCH /users/{userId}/roles.
 */
export async function replaceRoles(
  tx: Tx,
  actor: Actor,
  of: { id: number } | { accountId: number },
  wanted: (held: RoleFlags) => RoleFlags,
): Promise<RolesReplaced> {
  await lockOrganization(tx, actor.organizationId)
  const member = await findMember(tx, actor.organizationId, of)
  const before = roleFlags(member)
  const roles = wanted(before)
  const leading = member.accountId == null ? leadingRole(roles, before) : null
  if (leading) throw identityErrors.managedLeads({ field: leading })
  if (roles.owner !== member.owner) await assertIsOwner(tx, actor)
  const refused = rolesRefusal(roles, await otherLeaders(tx, member))
  if (refused) throw refused.refusal()
  const subject = { kind: 'member', id: member.id } as const
  const changed = { before: { roles: rolesOf(before) }, after: { roles: rolesOf(roles) } }
  emit(tx, actor, { kind: 'member.roles_changed', subject, ...changed })
  tx.em.assign(member, roles)
  await endOpenWork(tx, member, roles)
  if (roles.owner !== before.owner) {
    await tx.em.flush()
    await notifyOwners(tx, actor, roles.owner ? 'made' : 'unmade', {
      orgUserId: member.id,
      accountId: member.accountId,
    })
  }
  return { orgUserId: member.id, before, after: roles }
}
