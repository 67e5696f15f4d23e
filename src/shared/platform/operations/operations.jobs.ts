import { z } from 'zod'
import { defineJob } from '../contracts/define-job.ts'

/** Processes the pending rows of an operation, and ends it. */
export const runOperation = defineJob({
  name: 'operations.run-operation',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), operationId: z.int() }),
})
