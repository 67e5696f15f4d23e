import type { CodeOf } from '../../platform/kernel/error-codes.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

export const reservationStatuses = ['booked', 'ramped_out', 'ramped_in', 'signed_off', 'invoiced', 'cancelled'] as const

/** The status of a booking; derived from its facts, never stored. */
export type ReservationStatus = (typeof reservationStatuses)[number]

/** The facts from which the status of a booking is derived. */
export interface LifecycleFacts {
  cancelledAt: Date | null
  rampedOutAt: Date | null
  rampedInAt: Date | null
  /**
   * True when the booking is measured by its briefing time, and has this figure or has begun, so that it can be entered.
   * Counts like a ramp-in.
   */
  briefed: boolean
  signedOffAt: Date | null
  /** True while the flight has a live invoice, or a ledger charge that is not reversed. */
  billed: boolean
}

export type Trigger =
  | 'change'
  | 'changeText'
  | 'cancel'
  | 'rampOut'
  | 'rampIn'
  | 'changeReturn'
  | 'confirmReview'
  | 'updateReviewTimes'
  | 'correct'
  | 'reopen'
  | 'writeLog'
  | 'replacePayers'
  | 'invoice'

/** A refusal: the HTTP status, the message, and the code if a client can act on it. */
export interface Refusal {
  status: 400 | 403 | 409
  code?: CodeOf<409>
  message: Sentence
}

interface Transition {
  from: readonly ReservationStatus[]
  /** The refusals in the other statuses; `other` covers those not named. */
  refused: Partial<Record<ReservationStatus, Refusal>> & { other: Refusal }
  /** The refusal while the booking is billed, in every status. */
  billed?: Refusal
}

const {
  bookingCancelled: cancelled,
  leftTheRamp: left,
  flightBilled: billed,
  notRampedOut: notOut,
  allConfirmed: confirmed,
} = schedulingErrors

/**
 * The lifecycle as a table: the statuses in which a trigger is allowed, and its refusals in the others. Implements
 * interface §Reservation lifecycle.
 */
export const transitions: Readonly<Record<Trigger, Transition>> = {
  change: { from: ['booked'], refused: { cancelled, other: left } },
  changeText: { from: ['booked', 'ramped_out', 'ramped_in', 'signed_off', 'invoiced'], refused: { other: cancelled } },
  cancel: { from: ['booked'], refused: { cancelled: schedulingErrors.cancelledAlready, other: left } },
  rampOut: { from: ['booked'], refused: { cancelled, other: schedulingErrors.rampedOutAlready } },
  rampIn: {
    from: ['ramped_out'],
    refused: { cancelled, booked: notOut, other: schedulingErrors.rampedInAlready },
  },
  changeReturn: { from: ['ramped_out'], refused: { cancelled, booked: notOut, other: schedulingErrors.isBack } },
  confirmReview: {
    from: ['ramped_in'],
    refused: { cancelled, signed_off: confirmed, invoiced: confirmed, other: schedulingErrors.nothingToConfirmYet },
  },
  updateReviewTimes: {
    from: ['ramped_in', 'signed_off'],
    refused: { cancelled, other: schedulingErrors.nothingToCorrectYet },
    billed,
  },
  correct: { from: ['invoiced'], refused: { cancelled, other: schedulingErrors.notBilledYet } },
  reopen: { from: ['signed_off'], refused: { cancelled, other: schedulingErrors.notSignedOff }, billed },
  writeLog: {
    from: ['ramped_in', 'signed_off', 'invoiced'],
    refused: { cancelled, other: schedulingErrors.notRampedIn },
  },
  replacePayers: {
    from: ['booked', 'ramped_out', 'ramped_in', 'signed_off'],
    refused: { other: cancelled },
    billed: schedulingErrors.payersFixed,
  },
  invoice: { from: ['signed_off', 'invoiced'], refused: { cancelled, other: schedulingErrors.notClosedOut } },
}

/**
 * Returns the latest status that a booking's facts reach; a cancelled booking is `cancelled` whatever else happened.
 * Implements interface §Reservation lifecycle.
 */
export function statusOf(facts: LifecycleFacts): ReservationStatus {
  if (facts.cancelledAt) return 'cancelled'
  if (facts.signedOffAt) return facts.billed ? 'invoiced' : 'signed_off'
  if (facts.rampedInAt || facts.briefed) return 'ramped_in'
  return facts.rampedOutAt ? 'ramped_out' : 'booked'
}

/**
 * Returns why a trigger is not allowed on a booking; null when it is allowed. A refusal for the status comes before one for
 * billing: a trigger must not change the contents of an invoice (a prepaid booking is billed before its flight). Implements
 * interface §Reservation lifecycle.
 */
export function refusalOf(trigger: Trigger, facts: LifecycleFacts): Refusal | null {
  const status = statusOf(facts)
  const { from, refused, billed: whileBilled } = transitions[trigger]
  if (from.includes(status)) return facts.billed && whileBilled ? whileBilled : null
  return refused[status] ?? (status === 'invoiced' && whileBilled ? whileBilled : refused.other)
}
