import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Seated } from '../reservations/place.rules.ts'
import { estimatedCost } from '../rules/balance.rules.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import { checksOf, judge } from '../rules/judge.rules.ts'
import type { Judgement } from '../rules/problems.ts'
import { consentFor, type ResourceChoice, type SeenPlace } from './consent.rules.ts'
import type { Consent } from './recovery.types.ts'

/** The facts of a booking at a place, with how the rules judge it there. */
export interface Judged {
  facts: BookingFacts
  judgement: Judgement
}

export function judged(facts: BookingFacts): Judged {
  return { facts, judgement: judge(facts, checksOf(facts)) }
}

/** Returns a place of a booking as its people see it. */
export function seenPlace(resources: readonly ResourceChoice[], { facts, judgement }: Judged): SeenPlace {
  const { booking, seats, resource } = facts
  return {
    start: booking.start,
    instructorId: seats.find(({ side }) => side === 'instructors')?.orgUserId ?? null,
    resource: resources.find(({ id }) => id === resource?.id) ?? null,
    locationId: booking.locationId ?? resource?.locationId ?? null,
    cost: estimatedCost(facts).aircraft,
    warnings: [...judgement.warnings, ...judgement.problems],
  }
}

/** Returns another place of a booking as its people see it. What the rules refuse there is refused as such, and nobody agrees to it. */
export function seenAfter(resources: readonly ResourceChoice[], { facts, judgement }: Judged): SeenPlace {
  return seenPlace(resources, { facts, judgement: { ...judgement, problems: [] } })
}

/**
 * Returns who has to agree to a planned move by the facts of now, and to what. `isDisplaced`: the place is taken by what the plan books,
 * so that the booking cannot stay whatever the rules say. Implements interface §Recovery.
 */
export function consentNow(
  { type, seats, isDisplaced }: { type: ReservationType; seats: readonly Seated[]; isDisplaced: boolean },
  resources: readonly ResourceChoice[],
  from: BookingFacts,
  to: BookingFacts,
): Consent[] {
  const here = judged(from)
  const stands = !isDisplaced && here.judgement.problems.length + here.judgement.denied.length === 0
  return consentFor({ type, seats, stands }, seenPlace(resources, here), seenAfter(resources, judged(to)))
}
