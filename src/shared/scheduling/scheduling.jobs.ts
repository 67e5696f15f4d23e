import { z } from 'zod'
import { defineJob } from '../platform/contracts/define-job.ts'

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

/** Mails a guest that the aircraft that was held for them is booked otherwise. */
export const sendHoldEnded = defineJob({
  name: 'offerings.send-hold-ended',
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

/** Runs by schedule: judges the weather of flights that start within two hours. */
export const judgeWeather = defineJob({
  name: 'reservations.judge-weather',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Runs by schedule: enqueues the digests of overrides for owners and admins. */
export const overridesDigest = defineJob({
  name: 'rules.tell-overrides',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Judges the bookings ahead that changes concern. The marks of an organization make one job. */
export const judgeAtRisk = defineJob({
  name: 'reservations.judge-at-risk',
  queue: 'judging',
  payload: z.object({ organizationId: z.int() }),
  attempts: 5,
})

/** Runs by schedule: marks all bookings ahead to be judged, for what time alone changes. */
export const markAtRisk = defineJob({
  name: 'reservations.mark-at-risk',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
