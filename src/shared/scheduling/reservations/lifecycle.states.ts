import type { CodeOf } from '../../platform/kernel/error-codes.ts'

/** The state of a booking; derived from its facts, never stored. */
export type ReservationStatus = 'booked' | 'ramped_out' | 'ramped_in' | 'signed_off' | 'invoiced' | 'cancelled'

/** The facts from which the state of a booking is derived. */
export interface LifecycleFacts {
  cancelledAt: Date | null
  rampedOutAt: Date | null
  rampedInAt: Date | null
  /**
   * True when the booking is measured by briefing and holds that figure, or has begun and may get it; it counts like a
   * ramp-in's readings.
   */
  briefed: boolean
  signedOffAt: Date | null
  /** True while the flight has an invoice that is not void, or a ledger charge that is not reversed. */
  billed: boolean
}

export type Trigger =
  | 'change'
  | 'changeText'
  | 'cancel'
  | 'rampOut'
  | 'rampIn'
  | 'confirmReview'
  | 'updateReviewTimes'
  | 'reopen'
  | 'putPayers'
  | 'invoice'

/** A refusal: the HTTP status, the message, and the code where a client can act on it. */
export interface Refusal {
  status: 400 | 403 | 409
  code?: CodeOf<409>
  message: string
}

interface Transition {
  from: readonly ReservationStatus[]
  /** The refusals of the other states; `other` covers those not named. */
  refused: Partial<Record<ReservationStatus, Refusal>> & { other: Refusal }
  /** The refusal while the booking is billed, in every state. */
  billed?: Refusal
}

const no = (message: string): Refusal => ({ status: 400, message })
const conflict = (code: CodeOf<409>, message: string): Refusal => ({ status: 409, code, message })

const cancelled = no('The booking is cancelled.')
const left = conflict(
  'RESERVATION_RAMPED_OUT',
  'The aircraft has left the ramp: void the invoice, reopen the close-out and correct the readings instead.',
)
const billed = conflict(
  'RESERVATION_BILLED',
  'The flight is billed: void the invoice or reverse the ledger charge first.',
)
const notOut = no('The booking is not ramped out.')
const nothingYet = no('There is nothing to confirm yet.')
const confirmed = no('Everything is confirmed already.')
const open = no('The flight is not closed out: ramp it in and let both sides confirm it first.')

/**
 * The lifecycle as a table: the states in which a trigger is allowed, and its refusals in the others. Implements
 * interface §Reservation lifecycle.
 */
export const transitions: Readonly<Record<Trigger, Transition>> = {
  change: { from: ['booked'], refused: { cancelled, other: left } },
  changeText: { from: ['booked', 'ramped_out', 'ramped_in', 'signed_off', 'invoiced'], refused: { other: cancelled } },
  cancel: { from: ['booked'], refused: { cancelled: no('The booking is cancelled already.'), other: left } },
  rampOut: { from: ['booked'], refused: { cancelled, other: no('The booking is ramped out already.') } },
  rampIn: {
    from: ['ramped_out'],
    refused: { cancelled, booked: notOut, other: no('The booking is ramped in already.') },
  },
  confirmReview: {
    from: ['ramped_in'],
    refused: { cancelled, signed_off: confirmed, invoiced: confirmed, other: nothingYet },
  },
  updateReviewTimes: {
    from: ['ramped_in', 'signed_off'],
    refused: { cancelled, other: no('There is nothing to correct yet.') },
    billed,
  },
  reopen: { from: ['signed_off'], refused: { cancelled, other: no('The flight is not signed off yet.') }, billed },
  putPayers: {
    from: ['booked', 'ramped_out', 'ramped_in', 'signed_off'],
    refused: { other: cancelled },
    billed: no('The booking is invoiced already; its payers can no longer change.'),
  },
  invoice: { from: ['signed_off', 'invoiced'], refused: { cancelled, other: open } },
}

/**
 * Returns the latest state that a booking's facts reach. A cancelled booking is cancelled whatever else happened.
 * Implements interface §Reservation lifecycle.
 */
export function statusOf(facts: LifecycleFacts): ReservationStatus {
  if (facts.cancelledAt) return 'cancelled'
  if (facts.signedOffAt) return facts.billed ? 'invoiced' : 'signed_off'
  if (facts.rampedInAt || facts.briefed) return 'ramped_in'
  return facts.rampedOutAt ? 'ramped_out' : 'booked'
}

/**
 * Returns why a trigger is not allowed on a booking, or null when it is. The state's refusal comes first, then the one
 * for billing: a trigger must not change what an invoice already shows (a prepaid booking is billed before it flies).
 * Implements interface §Reservation lifecycle.
 */
export function refusalOf(trigger: Trigger, facts: LifecycleFacts): Refusal | null {
  const status = statusOf(facts)
  const { from, refused, billed: whileBilled } = transitions[trigger]
  if (from.includes(status)) return facts.billed && whileBilled ? whileBilled : null
  return refused[status] ?? (status === 'invoiced' && whileBilled ? whileBilled : refused.other)
}
