import { defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Enqueues a notification for each endorsement that expires soon. */
export const expiringEndorsementsJob = defineScheduledJob({
  name: 'training.notify-expiring-endorsements',
  queue: 'reminders',
  schedule: '17 * * * *',
})
