import { withdrawFromGroup } from '../communication/announcements/put-announcement.ts'
import { lockGroup } from '../identity/groups/group.access.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'

/**
 * Deletes a group, and the announcements for this group alone. Its members stay in the organization.
 * @throws NotFound when the organization has no such group.
 */
export async function deleteGroup(tx: Tx, actor: Actor, id: number): Promise<void> {
  const group = await lockGroup(tx, actor, id)
  await withdrawFromGroup(tx, { organizationId: actor.organizationId, groupId: id })
  tx.em.remove(group)
}
