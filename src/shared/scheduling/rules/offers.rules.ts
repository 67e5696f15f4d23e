import { deskStaff, hasRole } from '../../platform/authz/roles.ts'
import { type Interval, overlaps } from '../../platform/kernel/instants.ts'
import type { BookingFacts } from './booking-facts.types.ts'
import type { OfferFacts } from './offer-facts.types.ts'

type Asked = Pick<BookingFacts, 'offers' | 'actor' | 'now'>

/** Returns the open offers that overlap one of these times. */
export function offersAt({ offers }: Pick<BookingFacts, 'offers'>, times: readonly Interval[]): OfferFacts[] {
  return offers.filter((offer) => times.some((time) => overlaps(offer, time)))
}

/**
 * Returns whether an open offer holds its place against the caller. It never does against desk staff, who book over it, or
 * against the person whom the place is offered to.
 */
export function holds(offer: OfferFacts, { actor, now }: Asked): boolean {
  if (offer.orgUserId === actor.orgUserId) return false
  if (hasRole(actor.roles, deskStaff) && !actor.isPublic) return false
  return offer.holdsUntil.getTime() > now.getTime()
}

/** Returns whether an offer keeps a member: as its person or as its instructor. */
export function keeps(offer: OfferFacts, orgUserId: number | null): boolean {
  return orgUserId !== null && (offer.orgUserId === orgUserId || offer.instructorId === orgUserId)
}

/** Returns the ids of the offers that end when the resource and the people of a booking are booked at a time. */
export function offersOver(facts: Pick<BookingFacts, 'offers' | 'seats' | 'resource'>, time: Interval): number[] {
  return offersAt(facts, [time])
    .filter(
      (offer) =>
        (facts.resource !== null && offer.resourceId === facts.resource.id) ||
        facts.seats.some(({ orgUserId }) => keeps(offer, orgUserId)),
    )
    .map(({ id }) => id)
}
