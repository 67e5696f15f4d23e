import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { findOpenings, findOpeningsAt } from '../openings/find-openings.ts'
import type { OpeningsQuestion } from '../openings/load-openings-facts.ts'
import type { BookingPrincipal } from '../rules/load-booking-facts.ts'
import { hoursOf, type OfferingRow } from './offering.queries.ts'
import { isOffered } from './offering.rules.ts'

/** A slot that a guest can request; its crew is not disclosed. */
export interface PublicOpening extends Interval {
  resource: { id: number; name: string }
}

/**
 * Returns the future slots in a window, within the hours of the offering, in which the booking rules allow a flight with one
 * of its aircraft and one of its instructors. A held slot is not open.
 */
export async function findPublicOpenings(
  db: Db,
  school: BookingPrincipal,
  now: Date,
  offering: OfferingRow,
  window: Interval,
): Promise<PublicOpening[]> {
  const resourceIds = offering.resource_ids ?? []
  if (resourceIds.length === 0) return []
  const { openings } = await findOpenings(db, school, now, { ...crewOf(offering), ...window, resourceIds })
  return openings.flatMap(({ start, end, resource }) => (resource ? [{ start, end, resource }] : []))
}

/** Returns whether an aircraft of the offering is bookable at a start, which need not be on a quarter hour. */
export async function isOpenAt(
  db: Db,
  school: BookingPrincipal,
  now: Date,
  offering: OfferingRow,
  slot: { start: Date; resourceId: number },
): Promise<boolean> {
  const { start, resourceId } = slot
  const question = { ...crewOf(offering), start, resourceIds: [resourceId] }
  return (await findOpeningsAt(db, school, now, question)).length > 0
}

function crewOf(offering: OfferingRow): Omit<OpeningsQuestion, 'start' | 'end' | 'resourceIds'> {
  const instructorIds = offering.instructor_ids ?? []
  return {
    type: 'guest',
    durationMinutes: offering.duration_minutes,
    orgUserIds: [],
    instructorIds: instructorIds.length > 0 ? instructorIds : undefined,
    isWanted: (slot, aircraft) => isOffered(hoursOf(offering), slot, aircraft),
  }
}
