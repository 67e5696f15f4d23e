import type { Interval } from '../../platform/kernel/instants.ts'
import { checkPeople } from '../rules/availability.rules.ts'
import { checkBooking } from '../rules/booking.rules.ts'
import type { BookingFacts, ResourceFacts, SeatFacts } from '../rules/booking-facts.ts'
import { checkCurrencies, checkGrounding } from '../rules/fitness.rules.ts'
import type { Problem } from '../rules/problems.ts'
import { checkHours, checkResource } from '../rules/resource.rules.ts'

/** What may be booked: the same facts as for a booking, with what there is to choose from. */
export interface OpeningsFacts extends Omit<BookingFacts, 'seats' | 'resource'> {
  /** Each resource with the crews that could take it, the first choice first. Null: no resource. */
  choices: readonly { resource: ResourceFacts | null; crews: readonly (readonly SeatFacts[])[] }[]
}

/** A slot that could be booked, on a resource, by a crew. */
export interface Opening extends Interval {
  resource: ResourceFacts | null
  crew: readonly SeatFacts[]
}

/** What can stand against a resource whoever flies, and against a person whatever they fly: asked once for all. */
const ofResource = [checkResource, checkHours, checkGrounding]
const ofPerson = [checkPeople, checkGrounding, checkCurrencies]

/** Bookings start on the quarter hours. */
export const GRID_MS = 15 * 60_000

/** The first quarter hour at or after an instant. */
export function gridAt(instant: Date): Date {
  return new Date(Math.ceil(instant.getTime() / GRID_MS) * GRID_MS)
}

/**
 * The openings that start on the grid within a stretch: for each start the resources that are free, each with the first
 * crew that could take it. They last as long as the booking in the facts. A slot is offered when no rule of booking
 * stands against it, and only then; what is asked of a resource or a crew alone is asked once for all.
 */
export function openingsFrom(facts: OpeningsFacts, starts: Interval, most: number): Opening[] {
  const found: Opening[] = []
  for (let at = gridAt(starts.start).getTime(); at < starts.end.getTime() && found.length < most; at += GRID_MS) {
    found.push(...openingsAt(facts, new Date(at)).slice(0, most - found.length))
  }
  return found
}

/** The openings of one start, on the grid or not: the resources that are free, each with the first crew. */
export function openingsAt(facts: OpeningsFacts, start: Date): Opening[] {
  const length = facts.booking.end.getTime() - facts.booking.start.getTime()
  const booking = { ...facts.booking, start, end: new Date(start.getTime() + length) }
  const isFit = fitAt({ ...facts, booking })
  return facts.choices.flatMap(({ resource, crews }) => {
    const slot = { ...facts, booking, resource }
    if (ofResource.some((judge) => judge({ ...slot, seats: [] }).length > 0)) return []
    const crew = crews.find((seats) => seats.every(isFit) && checkBooking({ ...slot, seats }).length === 0)
    return crew ? [{ start, end: booking.end, resource, crew }] : []
  })
}

/** What no other time would heal: the type, the seats, the kind of resource, the length. */
export function timeIndependentProblems(facts: OpeningsFacts): Problem[] {
  const [choice] = facts.choices
  const [seats] = choice?.crews ?? []
  if (!choice || !seats) return []
  const problems = checkBooking({ ...facts, resource: choice.resource, seats })
  return problems.filter(
    ({ code, field }) =>
      code === 'TYPE_NOT_ALLOWED' || code === 'SIDE_LIMIT' || (code === 'INVALID' && field !== 'start'),
  )
}

/** Whether a person could fly at a slot, remembered: the same people are asked about for every resource. */
function fitAt(slot: Omit<OpeningsFacts, 'choices'>): (seat: SeatFacts) => boolean {
  const known = new Map<number, boolean>()
  return (seat) => {
    if (seat.orgUserId === null) return true
    const alone = { ...slot, resource: null, seats: [seat] }
    const answer = known.get(seat.orgUserId) ?? ofPerson.every((judge) => judge(alone).length === 0)
    known.set(seat.orgUserId, answer)
    return answer
  }
}
