import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Looks whether the file of an import was uploaded, and begins the import then. */
export const awaitImportFile = defineJob({
  name: 'imports.await-import-file',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), operationId: z.int() }),
})
