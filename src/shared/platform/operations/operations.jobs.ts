import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Works on the rows of an operation that are left, and ends it. */
export const runOperation = defineJob({
  name: 'operations.run',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), operationId: z.int() }),
})
