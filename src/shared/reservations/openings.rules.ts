import type { Interval } from '../kernel/instants.ts'
import { judgePeople } from './booking/availability.rules.ts'
import { judgeHours, judgeResource } from './booking/resource.rules.ts'
import { judgeBooking } from './booking.rules.ts'
import type { BookingFacts, ResourceFacts, SeatFacts } from './booking-facts.ts'
import type { Problem } from './problems.ts'

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
  const length = facts.booking.end.getTime() - facts.booking.start.getTime()
  for (let at = gridAt(starts.start).getTime(); at < starts.end.getTime(); at += GRID_MS) {
    const booking = { ...facts.booking, start: new Date(at), end: new Date(at + length) }
    const isFree = freeAt({ ...facts, booking })
    for (const { resource, crews } of facts.choices) {
      const slot = { ...facts, booking, resource }
      if ([judgeResource, judgeHours].some((judge) => judge({ ...slot, seats: [] }).length > 0)) continue
      const crew = crews.find((seats) => seats.every(isFree) && judgeBooking({ ...slot, seats }).length === 0)
      if (crew) found.push({ start: booking.start, end: booking.end, resource, crew })
      if (found.length >= most) return found
    }
  }
  return found
}

/** What no other time would heal: the type, the seats, the kind of resource, the length. */
export function hopeless(facts: OpeningsFacts): Problem[] {
  const [choice] = facts.choices
  const [seats] = choice?.crews ?? []
  if (!choice || !seats) return []
  const problems = judgeBooking({ ...facts, resource: choice.resource, seats })
  return problems.filter(
    ({ code, field }) =>
      code === 'TYPE_NOT_ALLOWED' || code === 'SIDE_LIMIT' || (code === 'INVALID' && field !== 'start'),
  )
}

/** Whether a person is free at a slot, remembered: the same people are asked about for every resource. */
function freeAt(slot: Omit<OpeningsFacts, 'choices'>): (seat: SeatFacts) => boolean {
  const known = new Map<number, boolean>()
  return (seat) => {
    if (seat.orgUserId === null) return true
    const answer = known.get(seat.orgUserId) ?? judgePeople({ ...slot, resource: null, seats: [seat] }).length === 0
    known.set(seat.orgUserId, answer)
    return answer
  }
}
