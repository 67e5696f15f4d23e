import type { Tx } from '../../platform/db/transaction.ts'
import { lockOpenOperation, type OperationOf, setOperation } from '../../platform/operations/operation.access.ts'
import { runOperation } from '../../platform/operations/operations.jobs.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { findObject, noteArrived } from './import.access.ts'
import { awaitImportFile } from './imports.jobs.ts'

/** How soon it is looked again whether the file is there, in seconds. */
const LOOK_AGAIN_SECONDS = 10
/** How long an import waits for its file. */
const MOST_WAIT_MS = 3_600_000

/** Looks a little later whether the file of an import is there. */
export function lookLater(tx: Tx, of: OperationOf, seconds: number = LOOK_AGAIN_SECONDS): void {
  tx.enqueue(awaitImportFile, { ...of }, { availableAt: new Date(tx.now.getTime() + seconds * 1_000) })
}

/**
 * Begins an import whose file is there, of `bytes`; without it (null) waits on, and gives up after an hour. Implements
 * interface §Imports.
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
