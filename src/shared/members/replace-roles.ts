import type { Actor } from '../authz/actor.ts'
import type { RoleFlags } from '../authz/roles.ts'
import type { Tx } from '../db/transaction.ts'
import { Invalid } from '../kernel/errors.ts'
import { lockOrganization } from '../organizations/lock-organization.ts'
import { findMember, otherLeaders } from './find-member.ts'
import { rolesRefusal } from './roles.rules.ts'

/**
 * Replaces the whole set of a member's roles; it counts from their next request on. Two demotions at once wait for
 * each other, so the organization always keeps an owner and an admin.
 * @throws NotFound; Invalid naming the role that the organization would be left without.
 */
export async function replaceRoles(tx: Tx, actor: Actor, userId: number, roles: RoleFlags): Promise<{ id: number }> {
  await lockOrganization(tx, actor.organizationId)
  const member = await findMember(tx, actor.organizationId, { accountId: userId })
  const refusal = rolesRefusal(roles, await otherLeaders(tx, member))
  if (refusal) throw new Invalid(`${refusal.field}: ${refusal.message}`)
  tx.em.assign(member, roles)
  return { id: userId }
}
