import type { Interval } from '../../platform/kernel/instants.ts'
import { checkPeople } from '../rules/availability.rules.ts'
import { checkBooking } from '../rules/booking.rules.ts'
import type { BookingFacts, ResourceFacts, SeatFacts } from '../rules/booking-facts.types.ts'
import { checkCurrencies, checkGrounding } from '../rules/fitness.rules.ts'
import type { Problem } from '../rules/problems.ts'
import { checkHours, checkResource } from '../rules/resource.rules.ts'

/** The facts of a booking, with the resources and crews to choose from in place of its own. */
export interface OpeningsFacts extends Omit<BookingFacts, 'seats' | 'resource'> {
  /**
   * Each resource with its possible crews, the first choice first. Null: no resource. Crews may be made as they are tried:
   * 500 resources and as many instructors have 250,000, of which the first few are free.
   */
  choices: readonly { resource: ResourceFacts | null; crews: Iterable<readonly SeatFacts[]> }[]
}

/** A slot that can be booked, with its resource and crew. */
export interface Opening extends Interval {
  resource: ResourceFacts | null
  crew: readonly SeatFacts[]
}

/** Rules about the resource alone, and about a person alone: evaluated once and reused for every combination. */
const ofResource = [checkResource, checkHours, checkGrounding]
const ofPerson = [checkPeople, checkGrounding, checkCurrencies]

/** The distance of offered starts in milliseconds: openings start on quarter hours. */
export const GRID_MS = 15 * 60_000

/** Returns the first quarter hour at or after an instant. */
export function gridAt(instant: Date): Date {
  return new Date(Math.ceil(instant.getTime() / GRID_MS) * GRID_MS)
}

/**
 * Returns the openings that start on the grid within an interval: for each start the free resources, each with the
 * first crew that can take it. They last as long as the booking in the facts. A slot is offered exactly when no booking
 * rule refuses it; rules about a resource or a crew alone run once for all.
 */
export function openingsFrom(facts: OpeningsFacts, starts: Interval, most: number): Opening[] {
  const found: Opening[] = []
  for (let at = gridAt(starts.start).getTime(); at < starts.end.getTime() && found.length < most; at += GRID_MS) {
    found.push(...openingsAt(facts, new Date(at), most - found.length))
  }
  return found
}

/** Returns the openings of one start, on the grid or not: the free resources, at most so many, each with the first crew. */
export function openingsAt(facts: OpeningsFacts, start: Date, most = Number.POSITIVE_INFINITY): Opening[] {
  const length = facts.booking.end.getTime() - facts.booking.start.getTime()
  const booking = { ...facts.booking, start, end: new Date(start.getTime() + length) }
  const isFit = fitAt({ ...facts, booking })
  const found: Opening[] = []
  for (const { resource, crews } of facts.choices) {
    if (found.length >= most) break
    const slot = { ...facts, booking, resource }
    if (ofResource.some((check) => check({ ...slot, seats: [] }).length > 0)) continue
    const crew = firstOf(crews, (seats) => seats.every(isFit) && checkBooking({ ...slot, seats }).length === 0)
    if (crew) found.push({ start, end: booking.end, resource, crew })
  }
  return found
}

function firstOf<T>(all: Iterable<T>, fits: (one: T) => boolean): T | undefined {
  for (const one of all) if (fits(one)) return one
  return undefined
}

/** Returns the problems that no other time solves: the type, the seats, the kind of resource, the length. */
export function timeIndependentProblems(facts: OpeningsFacts): Problem[] {
  const [choice] = facts.choices
  const seats = choice && firstOf(choice.crews, () => true)
  if (!choice || !seats) return []
  const problems = checkBooking({ ...facts, resource: choice.resource, seats })
  return problems.filter(
    ({ code, field }) =>
      code === 'TYPE_NOT_ALLOWED' || code === 'SIDE_LIMIT' || (code === 'INVALID' && field !== 'start'),
  )
}

/** Returns a memoized check of a person for a slot: every resource is tried with the same people. */
function fitAt(slot: Omit<OpeningsFacts, 'choices'>): (seat: SeatFacts) => boolean {
  const known = new Map<number, boolean>()
  return (seat) => {
    if (seat.orgUserId === null) return true
    const alone = { ...slot, resource: null, seats: [seat] }
    const answer = known.get(seat.orgUserId) ?? ofPerson.every((check) => check(alone).length === 0)
    known.set(seat.orgUserId, answer)
    return answer
  }
}
