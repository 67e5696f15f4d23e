import { type ReservationType, type Side, typeRules } from '../fleet/resources/reservation-types.rules.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import type { Seated } from '../scheduling/reservations/place.rules.ts'
import type { BookingFacts } from '../scheduling/rules/booking-facts.types.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import type { BulkAction, BulkReassignment } from './bulk.types.ts'

/** The time, resource and people of a booking, for the rules. */
export interface BulkPlace extends Interval {
  resourceId: number | null
  seats: SeatInput[]
}

const MINUTE_MS = 60_000

/**
 * Returns the places to which an action can move a booking, the preferred one first: the first instructor on each aircraft in turn, then
 * the next instructor. `no_such_seat` when the action sets an instructor and the type of the booking has no instructor's seat.
 * Implements interface §Reservations, POST /reservations/bulk.
 */
export function targetsOf(
  action: Exclude<BulkAction, { cancel: unknown }>,
  id: number,
  type: ReservationType,
  from: BulkPlace,
): BulkPlace[] | 'no_such_seat' {
  if ('move' in action) {
    const by = action.move.minutes * MINUTE_MS
    return [{ ...from, start: new Date(from.start.getTime() + by), end: new Date(from.end.getTime() + by) }]
  }
  if ('changes' in action) {
    const change = action.changes.find((one) => one.id === id)
    const { start = from.start, end = from.end, resourceId = from.resourceId, sides = [] } = change ?? {}
    return [{ start: new Date(start), end: new Date(end), resourceId, seats: withSides(from.seats, sides) }]
  }
  const { resourceIds = [from.resourceId] } = action.reassign
  const instructors = instructorsOf(action.reassign)
  if (instructors.length > 0 && !typeRules[type].sides.instructors) return 'no_such_seat'
  const crews = instructors.map((orgUserId) => {
    const seats: SeatInput[] = [{ side: 'instructors', index: 0, orgUserId }]
    return withSides(from.seats, [{ side: 'instructors', seats }])
  })
  return (instructors.length > 0 ? crews : [from.seats]).flatMap((seats) =>
    resourceIds.map((resourceId) => ({ ...from, resourceId, seats })),
  )
}

/** Returns the instructors of a reassignment in order of preference; none when the instructors stay. */
export function instructorsOf({ instructorOrgUserId, instructorOrgUserIds }: BulkReassignment): number[] {
  return instructorOrgUserIds ?? (instructorOrgUserId === undefined ? [] : [instructorOrgUserId])
}

function withSides(seats: SeatInput[], sides: readonly { side: Side; seats: SeatInput[] }[]): SeatInput[] {
  const replaced = new Set(sides.map(({ side }) => side))
  return [...seats.filter(({ side }) => !replaced.has(side)), ...sides.flatMap((one) => one.seats)]
}

/** Returns the people on a booking that is not written; guests who are not stored yet are left out. */
export const knownSeats = ({ seats }: BookingFacts): Seated[] =>
  seats.flatMap(({ side, orgUserId, guestId }) =>
    orgUserId === null && guestId === null ? [] : [{ side, orgUserId, guestId }],
  )
