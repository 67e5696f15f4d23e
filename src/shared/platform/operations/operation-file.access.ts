import { newStorageKey } from '../adapters/storage/file-types.ts'
import type { Db } from '../db/database.ts'
import { daysKept } from '../db/declare-table.ts'
import type { Tx } from '../db/transaction.ts'
import { OperationFile } from '../platform.tables.ts'
import { keptUntil } from '../retention/retention.rules.ts'
import { dropStoredObject } from '../storage/storage.jobs.ts'
import type { OperationOf } from './operation.access.ts'

/**
 * Returns the storage key of an operation's file, which is the same in every run. Enqueues the deletion of the object
 * for the end of the row's retention period.
 */
export async function reserveFile(tx: Tx, of: OperationOf, ending: 'zip' | 'json' = 'zip'): Promise<string> {
  const reserved = await findFile(tx.db, of)
  if (reserved) return reserved.storageKey
  const { organizationId: organization_id, operationId: operation_id } = of
  const storageKey = newStorageKey(organization_id, `export.${ending}`)
  await tx.db
    .insertInto('operation_file')
    .values({ organization_id, operation_id, storage_key: storageKey, created_at: tx.now })
    .execute()
  const availableAt = keptUntil(tx.now, daysKept(OperationFile))
  tx.enqueue(dropStoredObject, { storageKey }, { availableAt })
  return storageKey
}

/** Records the size of the complete file, in bytes. */
export async function completeFile(tx: Tx, { organizationId, operationId }: OperationOf, bytes: number): Promise<void> {
  await tx.db
    .updateTable('operation_file')
    .set({ size_bytes: bytes })
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .execute()
}

/** Returns the file of an operation; undefined when it has none. `bytes` is null until the file is complete. */
export async function findFile(db: Db, { organizationId, operationId }: OperationOf) {
  return db
    .selectFrom('operation_file')
    .select(['storage_key as storageKey', 'size_bytes as bytes'])
    .where('organization_id', '=', organizationId)
    .where('operation_id', '=', operationId)
    .executeTakeFirst()
}

/** Deletes the files of operations: of all operations of the organization, or only of those that a member started. */
export async function dropFiles(
  tx: Tx,
  { organizationId, startedBy }: { organizationId: number; startedBy?: number },
): Promise<void> {
  const dropped = await tx.db
    .deleteFrom('operation_file')
    .where('organization_id', '=', organizationId)
    .$if(startedBy !== undefined, (query) =>
      query.where('operation_id', 'in', (eb) =>
        eb
          .selectFrom('operation')
          .select('operation.id')
          .where('operation.organization_id', '=', organizationId)
          .where('operation.started_by', '=', startedBy!),
      ),
    )
    .returning('storage_key as storageKey')
    .execute()
  for (const { storageKey } of dropped) tx.enqueue(dropStoredObject, { storageKey })
}
