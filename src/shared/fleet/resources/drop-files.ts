import type { Tx } from '../../platform/db/transaction.ts'
import { dropObject } from '../../platform/storage/uploads.ts'

/** Enqueues the removal of a resource's stored objects. */
export async function dropFilesOf(tx: Tx, organizationId: number, resourceId: number): Promise<void> {
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
