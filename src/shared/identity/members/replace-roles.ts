import type { Actor } from '../../platform/authz/actor.ts'
import { type RoleFlags, roleFlags, rolesOf } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { lockOrganization } from '../organizations/organization.access.ts'
import { endOpenWork } from './end-open-work.ts'
import { findMember, mustBeOwner, otherLeaders } from './member.access.ts'
import { rolesRefusal } from './roles.rules.ts'

/** Whose roles were replaced, and what they were. */
interface RolesReplaced {
  orgUserId: number
  before: RoleFlags
}

/**
 * Replaces all roles of a member, with effect from their next request, and ends open work that the new roles do not
 * allow. The organization's lock serializes concurrent demotions, so that an owner and an admin always remain.
 * Implements interface §Members, PATCH /users/{userId}/roles.
 * @throws NotFound when the organization has no such member.
 * @throws Forbidden when the actor is not an owner and `owner` would change; an absent flag counts as false.
 * @throws Invalid LAST_OWNER when no owner would remain.
 * @throws Invalid when no admin would remain, or an owner would not be an admin.
 */
export async function replaceRoles(tx: Tx, actor: Actor, userId: number, roles: RoleFlags): Promise<RolesReplaced> {
  await lockOrganization(tx, actor.organizationId)
  const member = await findMember(tx, actor.organizationId, { accountId: userId })
  if (roles.owner !== member.owner) await mustBeOwner(tx, actor)
  const refused = rolesRefusal(roles, await otherLeaders(tx, member))
  if (refused) throw refused.refusal()
  const before = roleFlags(member)
  const subject = { kind: 'member', id: member.id } as const
  const changed = { before: { roles: rolesOf(before) }, after: { roles: rolesOf(roles) } }
  emit(tx, actor, { kind: 'member.roles_changed', subject, ...changed })
  tx.em.assign(member, roles)
  await endOpenWork(tx, member, roles)
  return { orgUserId: member.id, before }
}
