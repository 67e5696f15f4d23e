import type { Tx } from '../../platform/db/transaction.ts'
import { lockOpenOperation, type OperationOf, setOperation } from '../../platform/operations/operation.access.ts'
import { runOperation } from '../../platform/operations/operations.jobs.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { findObject, noteArrived } from './import.access.ts'
import { awaitImportFile } from './imports.jobs.ts'

/** The seconds between two checks whether the file was uploaded. */
const LOOK_AGAIN_SECONDS = 10
/** The milliseconds that an import waits for its file: one hour. */
const MOST_WAIT_MS = 3_600_000

/** Enqueues a check, after these seconds, whether the file of an import was uploaded. */
export function lookLater(tx: Tx, of: OperationOf, seconds: number = LOOK_AGAIN_SECONDS): void {
  tx.enqueue(awaitImportFile, { ...of }, { availableAt: new Date(tx.now.getTime() + seconds * 1_000) })
}

/**
 * Starts an import whose file was uploaded with a size of `bytes`. When it was not (null), the import waits for another
 * check, and fails after an hour. Does nothing when the import does not wait. Implements interface §Imports.
 */
export async function beginOrWait(tx: Tx, of: OperationOf, bytes: number | null): Promise<void> {
  const operation = await lockOpenOperation(tx, of)
  const file = await findObject(tx.db, of)
  if (operation?.status !== 'queued' || !operation.input.awaits || !file) return
  if (bytes !== null) {
    const { awaits, ...input } = operation.input
    await noteArrived(tx, of, bytes)
    await setOperation(tx, of, { input })
  } else if (tx.now.getTime() - file.createdAt.getTime() < MOST_WAIT_MS) {
    lookLater(tx, of)
    return
  } else {
    const error = { code: 'FILE_MISSING', message: portabilityErrors.fileMissing() }
    await setOperation(tx, of, { status: 'failed', result: { error } })
  }
  tx.enqueue(runOperation, { ...of })
}
