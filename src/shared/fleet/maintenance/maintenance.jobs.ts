import { defineScheduledJob } from '../../platform/contracts/define-job.ts'

/** Updates holds and sends notifications for maintenance that comes due by the calendar. */
export const reviewMaintenance = defineScheduledJob({
  name: 'maintenance.review-maintenance',
  queue: 'reminders',
  schedule: '*/5 * * * *',
})
