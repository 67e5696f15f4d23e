import { defineScheduledJob } from '../../platform/contracts/define-job.ts'

/**
 * Updates the holds of resources, and enqueues notifications about maintenance that became due and deferrals that
 * ended.
 */
export const reviewMaintenance = defineScheduledJob({
  name: 'maintenance.review-maintenance',
  queue: 'reminders',
  schedule: '*/5 * * * *',
})
