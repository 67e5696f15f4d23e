import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { dropStoredFolder, dropStoredObject } from '../../../shared/platform/storage/storage.jobs.ts'

/** Drops one stored object, or finds it gone. */
export const dropObjectFromStorage: JobProcessor<typeof dropStoredObject> = async ({ storageKey }, tools) => {
  await tools.storage.remove(storageKey)
}

/** Drops everything that a deleted organization had stored. */
export const dropFolderFromStorage: JobProcessor<typeof dropStoredFolder> = async ({ folder }, tools) => {
  await tools.storage.removeAll(folder)
}
