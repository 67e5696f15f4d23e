import { defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Enqueues the notifications of endorsements and knowledge tests that expire soon, and of practical tests that are near. */
export const remindExpiringEndorsements = defineScheduledJob({
  name: 'training.remind-expiring-endorsements',
  queue: 'reminders',
  schedule: '17 * * * *',
})
