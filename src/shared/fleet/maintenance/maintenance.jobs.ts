import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Runs by schedule: holds, releases and tells of what came due by the passing of time. */
export const reviewMaintenance = defineJob({
  name: 'maintenance.review-due',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
