/** What a refused booking can be told, so that a client can show what stands in the way. */
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
 * One thing that stands in the way of a booking. `field` is the dot path in the request; the ids name the person,
 * the resource and the other booking that it is about.
 */
export interface Problem {
  code: ProblemCode
  message: string
  field: string
  orgUserId?: number
  resourceId?: number
  reservationId?: number
  /** Stands in place of the rules about a person that the caller may not be told of. */
  rule?: 'eligibility'
}
