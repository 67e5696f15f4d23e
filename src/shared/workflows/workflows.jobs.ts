import { z } from 'zod'
import { defineJob } from '../platform/contracts/define-job.ts'

/** Erases the papers of a merged member that nobody took over within seven days. */
export const eraseLeftDocuments = defineJob({
  name: 'members.erase-left-documents',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), orgUserId: z.int() }),
})
