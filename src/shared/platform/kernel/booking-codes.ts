import { offered } from './offer-codes.ts'
import type { Codes } from './training-codes.ts'

/** The error codes of the booking rules. */
export const bookingRules = {
  ...offered,
  TYPE_NOT_ALLOWED: {
    status: [400],
    meaning: 'The roles of the caller do not allow a booking of this type. Choose another type.',
  },
  SIDE_LIMIT: {
    status: [400],
    meaning: 'There are too many or too few people on one side of the booking; `field` names the side.',
  },
  RESOURCE_CLASH: {
    status: [400],
    meaning: 'The resource is booked at this time. Choose another time or resource.',
  },
  PERSON_CLASH: {
    status: [400],
    meaning: 'Somebody on the booking is booked at this time. Choose another time or person.',
  },
  NOT_AVAILABLE: {
    status: [400],
    meaning: 'Somebody on the booking is away, or not available at this time of the week.',
  },
  OUTSIDE_HOURS: {
    status: [400],
    meaning: 'The booking lies outside the hours of the resource or of the organization.',
  },
  CLOSED: { status: [400], meaning: 'What the booking needs is closed at this time; the message says why.' },
  RESOURCE_GROUNDED: {
    status: [400],
    meaning: 'The resource is grounded. Only a maintenance booking can be made on it.',
  },
  PERSON_GROUNDED: { status: [400], meaning: 'Somebody on the booking is grounded by the organization.' },
  NOT_APPROVED: {
    status: [400],
    meaning: 'Whoever would be pilot in command is not approved on the aircraft. Choose another, or ask for approval.',
  },
  NOT_CURRENT: {
    status: [400],
    meaning: 'Somebody on the booking lacks a currency that the organization requires; the message names it.',
  },
  BOOKING_LIMIT: {
    status: [400],
    meaning:
      'The booking exceeds a limit of the caller’s roles: days ahead, notice, length, open bookings or hours a week. Ask the desk.',
  },
  ENDORSEMENT_MISSING: {
    status: [400],
    meaning: 'The student lacks an endorsement for the solo flight; the message names it. An instructor signs it.',
  },
  RATING_MISSING: {
    status: [400],
    meaning:
      'The pilot in command or the instructor has no certificate, rating, endorsement or experience for the aircraft ' +
      'on record; the message names it. `details.known` is `false` when it may exist and is not recorded.',
  },
  INSPECTION_DUE: {
    status: [400],
    meaning:
      'A maintenance item of the resource is due before the end of the booking. Choose another resource, or have the work done first.',
  },
  DUTY_LIMIT: {
    status: [400],
    meaning:
      'An instructor would give more flight training in 24 hours than allowed. Choose another time or instructor.',
  },
  CARD_DECLINED: {
    status: [400],
    meaning:
      'The card of somebody who pays was declined for an invoice that is still open. Have that invoice paid on its ' +
      'payment page, or with another card.',
  },
  BALANCE_TOO_LOW: {
    status: [400, 409],
    meaning:
      'The account of somebody who pays would fall below the minimum balance. For a booking, `fix.missingCents` says ' +
      'how much to pay in.',
  },
  DOCUMENT_UNVERIFIED: {
    status: [400],
    meaning: 'Only a warning: a required document is there, but nobody has verified it yet. Have desk staff verify it.',
  },
  CITIZENSHIP_UNVERIFIED: {
    status: [400],
    meaning: 'The citizenship of a student is not verified (49 CFR 1552.7(a)).',
  },
  BELOW_MINIMUMS: {
    status: [400],
    meaning: 'The weather is outside the limits of the person who would fly; the message names the limits.',
  },
  DOCUMENT_MISSING: { status: [400], meaning: 'Somebody on the booking lacks a document; the message names it.' },
  NOT_ELIGIBLE: {
    status: [400],
    meaning: 'Somebody on the booking cannot be booked, for a reason that the caller may not know. Ask the desk.',
  },
} as const satisfies Codes
