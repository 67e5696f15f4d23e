import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { dropStoredFolder, dropStoredObject } from '../../../shared/platform/storage/storage.jobs.ts'

/** Deletes one stored object; a missing one is fine. */
export const dropObjectFromStorage: JobProcessor<typeof dropStoredObject> = async ({ storageKey }, tools) => {
  await tools.storage.remove(storageKey)
}

/** Deletes everything that a deleted organization stored. */
export const dropFolderFromStorage: JobProcessor<typeof dropStoredFolder> = async ({ folder }, tools) => {
  await tools.storage.removeAll(folder)
}
