import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Runs on a schedule: updates holds and sends notifications for maintenance that comes due by the calendar. */
export const reviewMaintenance = defineJob({
  name: 'maintenance.review-due',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
