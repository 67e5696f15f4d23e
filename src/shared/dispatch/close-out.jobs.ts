import { z } from 'zod'
import { defineJob } from '../platform/contracts/define-job.ts'

/** Scheduled: enqueues notifications of flights that are not back in time. */
export const remindLate = defineJob({
  name: 'dispatch.remind-late',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Scheduled: reminds the signers of close-outs that are not signed off. */
export const remindUnsigned = defineJob({
  name: 'close-out.remind-unsigned',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
