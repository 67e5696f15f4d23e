import type { ObjectStorage } from '../../platform/adapters/storage/storage.port.ts'
import type { Table } from '../../platform/db/declare-table.ts'
import { inSnapshot, type ReadSnapshot } from '../../platform/db/snapshot.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { OperationTools, OperationToRun, OperationWork } from '../../platform/operations/operation.types.ts'
import { completeFile, findFile, reserveFile } from '../../platform/operations/operation-file.access.ts'
import { findFilesToExport } from './find-files.ts'
import { notifyOwnersOfExport } from './start-export.ts'
import { writeArchive } from './write-archive.ts'

/** The notes of the manifest: how to import the archive into another installation, and what is not carried over. */
const notes = [
  'import/ has the files for POST /imports, to be imported in importOrder; records/ and files/ have everything, for your archive or other programs.',
  'Owners are imported as admins. Members with an account here are imported without one, and claim the membership by an invitation.',
  'What is counted from logs starts at zero: flights, landings, duty, currencies that follow from flights, lessons and their grades.',
  'Credits earned in lessons are imported as manual credits, one sum for each requirement.',
  'missing lists the files that a record names and the storage did not have.',
  'Closed bookings, invoices and ledger entries are exported but not imported; of a ledger, the balance is imported.',
]

/**
 * The work of the operation `export`, which writes all records of an organization into one file. The operation has no
 * rows.
 */
export const exportWork: OperationWork = {
  mostAtOnce: 4,
  prepare: exportOrganization,
  groups: async () => [],
  perform: async () => [],
  finish: finishExport,
}

/**
 * Writes the archive of an organization to the storage, from one snapshot of the database. After a worker was killed,
 * the next run writes the whole archive again, under the same storage key.
 */
async function exportOrganization({ transaction, outside }: OperationTools, operation: OperationToRun): Promise<void> {
  const { organizationId, id: operationId } = operation
  if (!outside) throw new Error('an export needs the storage')
  const of = { organizationId, operationId }
  const { key, now } = await transaction(async (tx) => {
    return { key: await reserveFile(tx, of), now: tx.now }
  })
  await inSnapshot(outside.database, (read) =>
    writeAll(outside.storage, read, { organizationId, tables: outside.database.tables, key, now }),
  )
  const bytes = (await outside.storage.sizeOf(key)) ?? 0
  await transaction((tx) => completeFile(tx, of, bytes))
}

async function writeAll(
  storage: ObjectStorage,
  read: ReadSnapshot,
  { organizationId, tables, key, now }: { organizationId: number; tables: readonly Table[]; key: string; now: Date },
): Promise<void> {
  const { organization, importOrder, files } = await findFilesToExport(read, storage, { organizationId, tables, now })
  const manifest = { createdAt: now.toISOString(), organization, importOrder, notes }
  await storage.write(
    key,
    writeArchive(files, (contents) => ({ ...manifest, ...contents })),
  )
}

/**
 * Notifies all owners that the export is ready, and returns the size of its file. Returns an empty result when the
 * operation was stopped or has no file.
 */
async function finishExport(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>> {
  const { organizationId, id: operationId, status } = operation
  const file = await findFile(tx.db, { organizationId, operationId })
  if (status !== 'running' || file?.bytes == null) return {}
  const by = { organizationId, orgUserId: null }
  const subject = { kind: 'organization', id: organizationId } as const
  emit(tx, by, { kind: 'export.finished', subject, after: { operationId } })
  await notifyOwnersOfExport(tx, { organizationId, what: 'ready', by: operation.startedBy })
  return { bytes: file.bytes }
}
