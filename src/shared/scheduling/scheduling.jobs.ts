import { z } from 'zod'
import { defineJob } from '../platform/jobs/define-job.ts'

/** Mails the desk's decision on a request to its guest. */
export const guestDecisionJob = defineJob({
  name: 'booking-requests.tell-guest-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})

/** Mails the link that confirms a request to its guest. */
export const sendConfirmation = defineJob({
  name: 'offerings.send-confirmation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})

/** Scheduled: enqueues reminders of upcoming bookings. */
export const remindUpcoming = defineJob({
  name: 'reservations.remind-upcoming',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Scheduled: enqueues the digests of overrides for owners and admins. */
export const overridesDigest = defineJob({
  name: 'rules.tell-overrides',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
