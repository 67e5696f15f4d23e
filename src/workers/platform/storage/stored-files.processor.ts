import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type {
  dropStoredFolder,
  dropStoredObject,
  finalizeUpload,
} from '../../../shared/platform/storage/storage.jobs.ts'
import { endUpload, findUpload } from '../../../shared/platform/storage/upload-form.access.ts'

/** Checks once whether the bytes of a file have arrived, so that no read has to query the storage. */
export const finalizeStoredUpload: JobProcessor<typeof finalizeUpload> = async (payload, { database, storage }) => {
  const file = await findUpload(database.db, payload)
  if (payload.storageKey !== undefined && payload.storageKey !== file?.storageKey) return
  // Object storage can accept an upload whose form was ended; such an object is deleted.
  if (file?.upload === 'missing') await storage.remove(file.storageKey)
  if (file?.upload !== 'awaited') return
  await endUpload(
    database.db,
    { ...payload, storageKey: file.storageKey },
    (await storage.has(file.storageKey)) ? 'stored' : 'missing',
  )
}

/** Deletes one stored object; a missing one is fine. */
export const dropObjectFromStorage: JobProcessor<typeof dropStoredObject> = async ({ storageKey }, tools) => {
  await tools.storage.remove(storageKey)
}

/** Deletes everything that a deleted organization stored. */
export const dropFolderFromStorage: JobProcessor<typeof dropStoredFolder> = async ({ folder }, tools) => {
  await tools.storage.removeAll(folder)
}
