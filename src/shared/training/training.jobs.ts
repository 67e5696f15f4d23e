import { defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Enqueues a notification for each endorsement that expires soon. */
export const remindExpiringEndorsements = defineScheduledJob({
  name: 'training.remind-expiring-endorsements',
  queue: 'reminders',
  schedule: '17 * * * *',
})
