import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { dropFilesOf } from './drop-files.ts'
import { lockResource } from './find-for-action.ts'

/**
 * Deletes a resource that was never booked, with its approvals and files. Implements interface §Resources.
 * @throws NotFound when the organization has no such resource.
 * @throws Invalid when any booking refers to it, a cancelled one included.
 */
export async function deleteResource(tx: Tx, actor: Actor, id: number): Promise<void> {
  const resource = await lockResource(tx, actor, id)
  const booking = await tx.db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('resource_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (booking) throw new Invalid(`${resource.name} has bookings, so it cannot be deleted.`)
  await dropFilesOf(tx, actor.organizationId, id)
  tx.em.remove(resource)
}
