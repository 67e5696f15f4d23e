import { type ReservationType, type Side, typeRules } from '../fleet/resources/reservation-types.rules.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import type { SeatInput } from '../scheduling/rules/booking-input.types.ts'
import type { BulkAction } from './bulk.types.ts'

/** The time, resource and people of a booking, for the rules. */
export interface BulkPlace extends Interval {
  resourceId: number | null
  seats: SeatInput[]
}

const MINUTE_MS = 60_000

/**
 * Returns the places to which an action can move a booking, the preferred one first; `no_such_seat` when the action sets an instructor
 * and the type of the booking has no instructor's seat.
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
  const { resourceIds, instructorOrgUserId } = action.reassign
  if (instructorOrgUserId !== undefined && !typeRules[type].sides.instructors) return 'no_such_seat'
  const instructors: SeatInput[] =
    instructorOrgUserId === undefined ? [] : [{ side: 'instructors', index: 0, orgUserId: instructorOrgUserId }]
  const seats =
    instructors.length > 0 ? withSides(from.seats, [{ side: 'instructors', seats: instructors }]) : from.seats
  return (resourceIds ?? [from.resourceId]).map((resourceId) => ({ ...from, resourceId, seats }))
}

function withSides(seats: SeatInput[], sides: readonly { side: Side; seats: SeatInput[] }[]): SeatInput[] {
  const replaced = new Set(sides.map(({ side }) => side))
  return [...seats.filter(({ side }) => !replaced.has(side)), ...sides.flatMap((one) => one.seats)]
}
