import { z } from 'zod'
import { defineJob } from '../platform/jobs/define-job.ts'

/** Scheduled: reminds the signers of close-outs that are not signed off. */
export const remindUnsigned = defineJob({
  name: 'close-out.remind-unsigned',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
