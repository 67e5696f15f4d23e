import { fleetErrors } from '../../fleet/fleet.errors.ts'
import type { Db } from '../../platform/db/database.ts'
import type { BookingFacts } from '../rules/booking-facts.types.ts'
import { type BookingToPlan, peopleOf } from '../rules/booking-input.types.ts'
import { aroundFlight } from '../rules/duty.rules.ts'
import { type BookingPrincipal, organizationFacts, seatFacts, timesOf } from '../rules/load-booking-facts.ts'
import { rememberTimes } from '../rules/near-times.rules.ts'
import { loadOverrides } from '../rules/override.access.ts'
import type { GivenOverride } from '../rules/override.types.ts'
import { qualificationsFor } from '../rules/qualifications.rules.ts'
import { busyFor } from '../rules/resource.rules.ts'
import { loadSchedulingSnapshot, type SchedulingSnapshot } from '../rules/scheduling-snapshot.queries.ts'

/**
 * Loads the resources, people and busy times of many bookings together, and those of `others`, resources to which they may move.
 * Returns a function that builds the facts of one booking; of busy times and flight training, the facts have those near the
 * booking.
 */
export async function loadFactsTogether(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  bookings: readonly BookingToPlan[],
  given: readonly GivenOverride[] = [],
  others: readonly number[] = [],
): Promise<(booking: BookingToPlan) => BookingFacts & { locationOfResource: number | null }> {
  const snapshot = await loadSnapshotOf(db, principal, now, bookings, others)
  const overrides = await loadOverrides(db, principal.organizationId, given)
  const nearOf = rememberTimes()
  return (booking) => {
    const { resourceId, seats, keptOverrides: kept = [] } = booking
    const resource = resourceId === null ? null : (snapshot.resources.get(resourceId) ?? null)
    if (resourceId !== null && !resource) throw fleetErrors.unknownResource({ field: 'resource.id' })
    const busy = resource && nearOf(snapshot.taken.resources.get(resource.id) ?? [], booking)
    return {
      ...organizationFacts(principal, now, snapshot),
      booking: timesOf(booking),
      seats: seats.map((seat) => {
        const { taken, training, ...facts } = seatFacts(seat, snapshot)
        return { ...facts, taken: nearOf(taken, booking), training: nearOf(training, aroundFlight(booking)) }
      }),
      resource: resource && busy && { ...resource, ...busyFor(principal, busy) },
      overrides: { ...overrides, kept },
      locationOfResource: resource?.locationId ?? null,
    }
  }
}

function loadSnapshotOf(
  db: Db,
  principal: BookingPrincipal,
  now: Date,
  bookings: readonly BookingToPlan[],
  others: readonly number[],
): Promise<SchedulingSnapshot> {
  const people = bookings.map(({ seats }) => peopleOf(seats))
  const papers = bookings.map(({ type }) => qualificationsFor(type, principal.organization.settings))
  const starts = bookings.map(({ start }) => start.getTime())
  const ends = bookings.map(({ end }) => end.getTime())
  return loadSchedulingSnapshot(db, principal.organizationId, {
    memberIds: distinct(people.flatMap(({ memberIds }) => memberIds)),
    guestIds: distinct(people.flatMap(({ guestIds }) => guestIds)),
    resourceIds: distinct([...bookings.flatMap(({ resourceId }) => resourceId ?? []), ...others]),
    span: { start: new Date(Math.min(...starts)), end: new Date(Math.max(...ends)) },
    now,
    callerId: principal.orgUserId,
    lessonIds: distinct(bookings.flatMap(({ lessonIds = [] }) => lessonIds)),
    ...qualificationsFor('ground', principal.organization.settings),
    endorsementCodes: distinct(papers.flatMap(({ endorsementCodes }) => endorsementCodes)),
    training: papers.some(({ training }) => training),
    ratings: papers.some(({ ratings }) => ratings),
  })
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)]
}
