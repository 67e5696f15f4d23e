import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/**
 * Checks whether the file of an import was uploaded. Starts the import if it was; otherwise checks again later, for up
 * to an hour.
 */
export const awaitImportFile = defineJob({
  name: 'imports.await-import-file',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), operationId: z.int() }),
})
