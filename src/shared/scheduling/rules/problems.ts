/** The codes of problems, so that a client can show why a booking is refused. */
export type ProblemCode =
  | 'TYPE_NOT_ALLOWED'
  | 'SIDE_LIMIT'
  | 'RESOURCE_CLASH'
  | 'PERSON_CLASH'
  | 'NOT_AVAILABLE'
  | 'OUTSIDE_HOURS'
  | 'RESOURCE_GROUNDED'
  | 'PERSON_GROUNDED'
  | 'NOT_APPROVED'
  | 'NOT_CURRENT'
  | 'NOT_ELIGIBLE'
  | 'INVALID'

/**
 * One reason why a booking is refused. `field` is the dot path in the request; the ids name the person, the resource
 * and the other booking.
 */
export interface Problem {
  code: ProblemCode
  message: string
  field: string
  orgUserId?: number
  resourceId?: number
  reservationId?: number
  /** Replaces the rules about a person whose details the caller may not see. */
  rule?: 'eligibility'
}
