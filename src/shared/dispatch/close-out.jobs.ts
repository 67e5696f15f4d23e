import { defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Enqueues notifications about flights that are not back in time. */
export const remindLate = defineScheduledJob({
  name: 'dispatch.remind-late',
  queue: 'reminders',
  schedule: '* * * * *',
})

/** Reminds the signers of close-outs that are not signed off. */
export const remindUnsigned = defineScheduledJob({
  name: 'close-out.remind-unsigned',
  queue: 'reminders',
  schedule: '7 * * * *',
})
