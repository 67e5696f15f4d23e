import { contentTypeOf, newStorageKey } from '../adapters/storage/file-types.ts'
import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import { platformErrors } from '../platform.errors.ts'
import { type FileTable, finalizeUpload } from './storage.jobs.ts'
import { uploadFinalizedAt } from './uploads.ts'

/** Returns the file columns of a new row whose file will be uploaded. */
export function newFile(tx: Tx, actor: Actor, fileName: string, field: string) {
  const contentType = contentTypeOf(fileName)
  if (!contentType) throw platformErrors.fileTypeNotAccepted({ field })
  return {
    organizationId: actor.organizationId,
    fileName,
    contentType,
    storageKey: newStorageKey(actor.organizationId, fileName),
    uploadedBy: actor.orgUserId,
    createdAt: tx.now,
  }
}

/** Enqueues a job that checks, after the upload has expired, whether the file of a row arrived. */
export function expectUpload(
  tx: Tx,
  table: FileTable,
  { organizationId, id, storageKey }: { organizationId: number; id: number; storageKey?: string },
) {
  const payload = { organizationId, table, fileId: id, storageKey }
  tx.enqueue(finalizeUpload, payload, { availableAt: uploadFinalizedAt(tx.now) })
}
