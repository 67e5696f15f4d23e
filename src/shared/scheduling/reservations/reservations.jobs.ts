import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Runs by schedule: reminds those seated of the bookings that are coming up. */
export const remindUpcoming = defineJob({
  name: 'reservations.remind-upcoming',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
