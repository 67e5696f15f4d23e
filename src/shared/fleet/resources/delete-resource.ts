import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { dropObject } from '../../platform/storage/uploads.ts'
import { lockResource } from './resource.access.ts'
import { isBooked } from './resource.queries.ts'
import { findStoredObjects } from './resource-file.queries.ts'

/**
 * Deletes a resource that was never booked, with its approvals and files. Implements interface §Resources.
 * @throws NotFound when the organization has no such resource.
 * @throws Invalid when any booking refers to it, a cancelled one included.
 */
export async function deleteResource(tx: Tx, actor: Actor, id: number): Promise<void> {
  const resource = await lockResource(tx, actor, id)
  if (await isBooked(tx.db, actor.organizationId, id)) {
    throw new Invalid(`${resource.name} has bookings, so it cannot be deleted.`)
  }
  for (const file of await findStoredObjects(tx.db, actor.organizationId, id)) dropObject(tx, file)
  tx.em.remove(resource)
}
