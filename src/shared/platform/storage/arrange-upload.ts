import { contentTypeOf, newStorageKey } from '../adapters/storage/file-types.ts'
import type { Actor } from '../authz/actor.ts'
import type { Tx } from '../db/transaction.ts'
import { Invalid } from '../kernel/errors.ts'
import { type FileTable, finalizeUpload } from './storage.jobs.ts'
import { uploadFinalizedAt } from './uploads.ts'

/**
 * What a new row says of the file that is about to be uploaded for it.
 * @throws Invalid for a kind of file that is not taken, naming the field
 */
export function newFile(tx: Tx, actor: Actor, fileName: string, field: string) {
  const contentType = contentTypeOf(fileName)
  if (!contentType) throw new Invalid(`${field}: must be a jpg, jpeg, png, heic, heif or pdf file`)
  return {
    organizationId: actor.organizationId,
    fileName,
    contentType,
    storageKey: newStorageKey(actor.organizationId, fileName),
    uploadedBy: actor.orgUserId,
    createdAt: tx.now,
  }
}

/** Owes a look at whether the bytes of a row made now have come, once their upload is over. */
export function expectUpload(tx: Tx, table: FileTable, { organizationId, id }: { organizationId: number; id: number }) {
  tx.enqueue(finalizeUpload, { organizationId, table, fileId: id }, { availableAt: uploadFinalizedAt(tx.now) })
}
