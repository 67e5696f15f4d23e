import { z } from 'zod'
import { defineJob } from '../platform/jobs/define-job.ts'

/** Runs by schedule: reminds of the close-outs that wait for a signature. */
export const remindUnsigned = defineJob({
  name: 'close-out.remind-unsigned',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
