import type { Interval } from '../../platform/kernel/instants.ts'

/** An open offer of a place, which holds the place against some callers until `holdsUntil`. */
export interface OfferFacts extends Interval {
  id: number
  /** The person whom the place is offered to. */
  orgUserId: number
  resourceId: number | null
  instructorId: number | null
  holdsUntil: Date
}
