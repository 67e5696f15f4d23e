import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { lockResource } from './resource.access.ts'

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
  await enqueueFileRemoval(tx, actor.organizationId, id)
  tx.em.remove(resource)
}

/** Enqueues the removal of a resource's stored objects. */
async function enqueueFileRemoval(tx: Tx, organizationId: number, resourceId: number): Promise<void> {
  const files = await tx.db
    .selectFrom('resource_file')
    .select(['storage_key', 'created_at'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { storage_key: storageKey, created_at: createdAt } of files) {
    dropObject(tx, { storageKey, createdAt })
  }
}
