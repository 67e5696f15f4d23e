import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { isSamePerson, type Seated } from '../reservations/place.rules.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'
import type { Problem } from '../rules/problems.ts'
import type { Consent, FoundPlace, PlannedPlace, PlanOutcome, RecoveryDetail } from './recovery.types.ts'

interface Booked {
  row: { starts_at: Date; ends_at: Date; resource: { id: number } | null; seats: readonly Seated[] }
  /** Whether the rules accept it where it stands. */
  stands: boolean
  problems: Problem[]
}

interface Chosen extends Interval {
  resourceId: number | null
  instructorId: number | null
  points: number
  consent: Consent[]
  mostCents: Cents
  after: readonly number[]
}

/** Returns what a plan stores of a booking, and what becomes of it. */
export function placesOf(
  { row, stands, problems }: Booked,
  chosen: Chosen | null,
): { outcome: PlanOutcome; detail: RecoveryDetail } {
  const from = placeHere(row)
  if (!chosen) return { outcome: 'left', detail: { from, to: null, consent: [], points: 0, stands, problems } }
  const { start, end, resourceId, instructorId: instructorOrgUserId, points, consent, mostCents, after } = chosen
  const to = { start: start.toISOString(), end: end.toISOString(), resourceId, instructorOrgUserId }
  return { outcome: outcomeOf(from, to), detail: { from, to, consent, points, mostCents, after, stands, problems: [] } }
}

/** Returns the place and the people of a booking as plans store them. */
export function placeHere({ starts_at, ends_at, resource, seats }: Booked['row']): FoundPlace {
  const instructor = seats.find(({ side }) => side === 'instructors')
  return {
    start: starts_at.toISOString(),
    end: ends_at.toISOString(),
    resourceId: resource?.id ?? null,
    instructorOrgUserId: instructor?.orgUserId ?? null,
    seats: seats.map(({ side, orgUserId, guestId }) => ({ side, orgUserId, guestId })),
  }
}

/** Returns whether a booking is no longer as a plan found it: somebody moved it, or gave it to others, meanwhile. */
export function isMoved(from: FoundPlace, row: Booked['row']): boolean {
  const here = placeHere(row)
  return (
    here.start !== from.start ||
    here.end !== from.end ||
    here.resourceId !== from.resourceId ||
    here.seats.length !== from.seats.length ||
    here.seats.some((seat, at) => seat.side !== from.seats[at]!.side || !isSamePerson(seat, from.seats[at]!))
  )
}

/** Returns the seats of a booking at a planned place. */
export function seatsAt(
  seats: SeatInput[],
  { instructorOrgUserId }: Pick<PlannedPlace, 'instructorOrgUserId'>,
): SeatInput[] {
  return seats.map((seat) =>
    seat.side === 'instructors' && instructorOrgUserId !== null
      ? { side: seat.side, index: seat.index, orgUserId: instructorOrgUserId }
      : seat,
  )
}

function outcomeOf(from: PlannedPlace, to: PlannedPlace): PlanOutcome {
  if (from.start !== to.start) return 'time'
  return from.instructorOrgUserId !== to.instructorOrgUserId ? 'instructor' : 'aircraft'
}
