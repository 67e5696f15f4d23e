import type { BookingRuleCode } from '../../platform/kernel/error-codes.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'

/** The codes of problems, so that a client can show why a booking is refused. */
export type ProblemCode = BookingRuleCode | 'INVALID'

/**
 * One reason why a booking is refused. `field` is the dot path in the request; the ids name the person, the resource
 * and the other booking.
 */
export interface Problem {
  code: ProblemCode
  message: Sentence
  field: string
  orgUserId?: number
  resourceId?: number
  reservationId?: number
  /** Replaces the rules about a person whose details the caller may not see. */
  rule?: 'eligibility'
}
