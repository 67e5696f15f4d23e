import type { ErrorCode } from './error-codes.ts'

/** Codes that occur only in lists of problems, in which every problem has a code. They are never the code of the error itself. */
export const problemOnlyCodes = {
  INVALID: 'A field or parameter is wrong; the message names it, as in every 400 without a code.',
  PREPAID_CHARGE: 'A warning: the booking is made, but its prepaid price is not charged.',
  CANCELLATION_FEE: 'A warning: the fee of the cancellation was charged and stands.',
  PAYERS_CHANGED: 'A warning: somebody who pays a share has left the booking. Set its payers again.',
  LESSON_KIND: 'A warning: a planned lesson is of another kind than the booking.',
  MEETING: 'A warning: the booking is made, but its video call is not created yet.',
  FORBIDDEN: 'The caller may not do this themselves; the request itself is answered with 403.',
  MET: 'A check of a release that is met.',
  OPEN_SQUAWK: 'A check of a release: the aircraft has an open squawk. Acknowledge it, or ground the aircraft.',
  INSPECTION_CROSSED: 'A check of a release: the booked hours would pass a maintenance item.',
  METER_GAP: 'A check of a release: a reading differs from the aircraft’s own. Read the meter again.',
  EARLY_RAMP_OUT: 'A check of a release: it is long before the start. See `settings.rampOutLeadMinutes`.',
  AIRCRAFT_FILE: 'A check of a release: a file of `settings.requiredAircraftFiles` is missing or expired.',
  RESOURCE_MISSING: 'A check of a release: the booking names no aircraft.',
} as const

/** A code of one problem in a list. */
export type ProblemListCode = ErrorCode | keyof typeof problemOnlyCodes
