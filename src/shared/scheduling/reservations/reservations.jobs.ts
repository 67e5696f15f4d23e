import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Runs by schedule: reminds the people on upcoming bookings. */
export const remindUpcoming = defineJob({
  name: 'reservations.remind-upcoming',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
