import { z } from 'zod'
import { defineJob, defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Mails the desk's decision on a request to its guest. */
export const mailGuestDecision = defineJob({
  name: 'booking-requests.mail-guest-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})

/** Mails the link that confirms a request to its guest. */
export const sendConfirmation = defineJob({
  name: 'offerings.send-confirmation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})

/** Mails a guest that the school has booked the aircraft that was held for the guest. */
export const sendHoldEnded = defineJob({
  name: 'offerings.send-hold-ended',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})

/** Enqueues reminders of upcoming bookings. */
export const remindUpcoming = defineScheduledJob({
  name: 'reservations.remind-upcoming',
  queue: 'reminders',
  schedule: '2-59/5 * * * *',
})

/**
 * Enqueues one notification per flight that starts within two hours and has people with weather limits. The weather is
 * checked against the limits when the notification is delivered.
 */
export const judgeWeather = defineScheduledJob({
  name: 'reservations.judge-weather',
  queue: 'reminders',
  schedule: '3-59/5 * * * *',
})

/** Enqueues the digests of overrides for owners and admins. */
export const notifyOverrides = defineScheduledJob({
  name: 'rules.notify-overrides',
  queue: 'reminders',
  schedule: '1-59/10 * * * *',
})

/** Keeps the hash of the file that the document of an override had: `storageKey` is that of then. */
export const hashPaper = defineJob({
  name: 'rules.hash-paper',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), overrideId: z.int(), storageKey: z.string() }),
})

/** Checks the future bookings that changes affect and stores which are at risk. All marks of an organization make one job. */
export const judgeAtRisk = defineJob({
  name: 'reservations.judge-at-risk',
  queue: 'judging',
  payload: z.object({ organizationId: z.int() }),
  attempts: 5,
})

/** Marks all future bookings to be checked, because time alone can put a booking at risk. */
export const markAtRisk = defineScheduledJob({
  name: 'reservations.mark-at-risk',
  queue: 'reminders',
  schedule: '3 * * * *',
})

/** Looks whom to offer the places that changes freed. All marks of an organization make one job. */
export const offerPlaces = defineJob({
  name: 'waitlist.offer-places',
  queue: 'judging',
  payload: z.object({ organizationId: z.int() }),
  attempts: 5,
})

/** Ends an offer that nobody answered. */
export const expireOffer = defineJob({
  name: 'waitlist.expire-offer',
  queue: 'judging',
  payload: z.object({ organizationId: z.int(), offerId: z.int() }),
})

/** Ends offers whose job was lost, and looks again at places that were found in quiet hours. */
export const sweepWaitlist = defineScheduledJob({
  name: 'waitlist.sweep-waitlist',
  queue: 'reminders',
  schedule: '* * * * *',
})
