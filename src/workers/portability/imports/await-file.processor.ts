import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { findObject } from '../../../shared/portability/imports/import.access.ts'
import type { awaitImportFile } from '../../../shared/portability/imports/imports.jobs.ts'
import { beginOrWait } from '../../../shared/portability/imports/start-awaited.ts'

/**
 * Checks whether the file of an import was uploaded, because the storage sends no notification of an upload. Then
 * starts the import; otherwise enqueues another check, and after an hour fails the import.
 */
export const awaitImportFileProcessor: JobProcessor<typeof awaitImportFile> = async (payload, tools) => {
  const file = await findObject(tools.database.db, payload)
  if (!file) return
  const bytes = await tools.storage.sizeOf(file.storageKey)
  await tools.transaction((tx) => beginOrWait(tx, payload, bytes))
}
