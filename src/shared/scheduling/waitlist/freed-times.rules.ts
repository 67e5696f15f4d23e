import type { Interval } from '../../platform/kernel/instants.ts'
import type { PlaceParts } from '../reservations/place.rules.ts'
import type { BarredTime } from './places.rules.ts'

/** Where a booking is, as far as others could take it. */
export interface TakenPlace extends Interval {
  resourceId: number | null
  instructorIds: readonly number[]
}

/** A change of a booking, with the parts of its place before; `orgUserId` is who made it, or whose offer it was. */
export interface PlaceChange {
  orgUserId: number | null
  before: PlaceParts
}

/**
 * Returns the times that people freed by moving, shortening or reassigning a booking: of its aircraft and of its instructors.
 * `changes` are the changes of the booking, the latest first.
 */
export function freedByChanges(present: TakenPlace, changes: readonly PlaceChange[]): BarredTime[] {
  const freed: BarredTime[] = []
  let after = present
  for (const { orgUserId, before: parts } of changes) {
    const before = placeBefore(after, parts)
    const free = (what: { resourceId: number | null; instructorId: number | null }, isKept: boolean) => {
      for (const { start, end } of isKept ? outside(before, after) : [before]) {
        freed.push({ start, end, ...what, orgUserId, entryId: null, why: 'freed' })
      }
    }
    const { resourceId } = before
    if (resourceId !== null) free({ resourceId, instructorId: null }, resourceId === after.resourceId)
    for (const id of before.instructorIds) {
      free({ resourceId: null, instructorId: id }, after.instructorIds.includes(id))
    }
    after = before
  }
  return freed
}

function placeBefore(after: TakenPlace, { start, end, resourceId, personnel }: PlaceParts): TakenPlace {
  return {
    start: start === undefined ? after.start : new Date(start),
    end: end === undefined ? after.end : new Date(end),
    resourceId: resourceId === undefined ? after.resourceId : resourceId,
    instructorIds: personnel === undefined ? after.instructorIds : (personnel.instructors ?? []),
  }
}

/** Returns the parts of a time that are outside another. */
function outside({ start, end }: Interval, other: Interval): Interval[] {
  const parts = [
    { start, end: other.start < end ? other.start : end },
    { start: other.end > start ? other.end : start, end },
  ]
  return parts.filter((part) => part.start < part.end)
}
