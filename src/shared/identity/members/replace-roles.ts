import type { Actor } from '../../platform/authz/actor.ts'
import type { RoleFlags } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { lockOrganization } from '../organizations/lock-organization.ts'
import { endLeftovers } from './end-leftovers.ts'
import { findMember, otherLeaders } from './find-member.ts'
import { mustBeOwner } from './must-still-be.ts'
import { rolesRefusal } from './roles.rules.ts'

/**
 * Replaces the whole set of a member's roles; it counts from their next request on. Two demotions at once wait for
 * each other, so the organization always keeps an owner and an admin. What the member had begun by a role that is gone
 * ends.
 * @throws NotFound
 * @throws Forbidden when somebody who is no owner gives or takes `owner`; leaving the flag out for an owner is taking it
 * @throws Invalid naming the role that the organization would be left without, LAST_OWNER for the owner
 */
export async function replaceRoles(tx: Tx, actor: Actor, userId: number, roles: RoleFlags): Promise<{ id: number }> {
  await lockOrganization(tx, actor.organizationId)
  const member = await findMember(tx, actor.organizationId, { accountId: userId })
  if (roles.owner !== member.owner) await mustBeOwner(tx, actor)
  const refusal = rolesRefusal(roles, await otherLeaders(tx, member))
  if (refusal) {
    throw new Invalid(`${refusal.field}: ${refusal.message}`, refusal.field === 'owner' ? 'LAST_OWNER' : undefined)
  }
  tx.em.assign(member, roles)
  await endLeftovers(tx, member, roles)
  return { id: userId }
}
