import { notifyOwnersOfWebhooks } from '../communication/webhooks/put-webhook.ts'
import { replaceRoles } from '../identity/members/replace-roles.ts'
import type { Actor } from '../platform/authz/actor.ts'
import { admins, hasRole, type RoleFlags } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'

/**
 * Replaces all roles of a member. Owners are mailed which webhooks a member made who is no admin any more, since these
 * go on.
 * Implements interface §Members, PATCH /users/{userId}/roles.
 * @throws NotFound when the organization has no such member.
 * @throws Forbidden when the actor is not an owner and `owner` would change; an absent flag counts as false.
 * @throws Invalid LAST_OWNER when no owner would remain.
 * @throws Invalid when no admin would remain, or an owner would not be an admin.
 */
export async function changeRoles(tx: Tx, actor: Actor, userId: number, roles: RoleFlags): Promise<{ id: number }> {
  const { organizationId } = actor
  const { orgUserId, before } = await replaceRoles(tx, actor, userId, roles)
  if (losesAdmin(before, roles)) await notifyOwnersOfWebhooks(tx, { organizationId, orgUserId })
  return { id: userId }
}

/** Returns whether a member could manage webhooks and cannot any more. */
function losesAdmin(before: RoleFlags, after: RoleFlags): boolean {
  return hasRole(before, admins) && !hasRole(after, admins)
}
