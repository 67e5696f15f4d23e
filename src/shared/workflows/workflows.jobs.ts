import { z } from 'zod'
import { defineJob } from '../platform/contracts/define-job.ts'

/** Erases the personal records (`papers`) of a merged member that were not accepted within seven days. */
export const eraseLeftDocuments = defineJob({
  name: 'members.erase-left-documents',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), orgUserId: z.int() }),
})
