import { z } from 'zod'
import { defineJob } from '../platform/jobs/define-job.ts'

/** Mails a guest the desk's decision about their request. */
export const guestDecisionJob = defineJob({
  name: 'booking-requests.tell-guest-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})

/** Mails a guest the link that confirms their request. */
export const sendConfirmation = defineJob({
  name: 'offerings.send-confirmation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})

/** Runs by schedule: reminds the people on upcoming bookings. */
export const remindUpcoming = defineJob({
  name: 'reservations.remind-upcoming',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Runs by schedule: tells owners and admins what was overridden until this morning. */
export const overridesDigest = defineJob({
  name: 'rules.tell-overrides',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
