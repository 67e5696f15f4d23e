import type { Actor } from '../platform/authz/actor.ts'
import type { Db } from '../platform/db/database.ts'
import type { Interval } from '../platform/kernel/instants.ts'
import { storedBooking } from '../scheduling/reservations/reservation.access.ts'
import type { ReservationRow } from '../scheduling/reservations/reservation.queries.ts'
import type { BookingFacts } from '../scheduling/rules/booking-facts.types.ts'
import { type BookingToPlan, peopleOf } from '../scheduling/rules/booking-input.types.ts'
import { organizationFacts, seatFacts, timesOf } from '../scheduling/rules/load-booking-facts.ts'
import { loadOverrides } from '../scheduling/rules/override.access.ts'
import { isInForce } from '../scheduling/rules/override.rules.ts'
import type { GivenOverride } from '../scheduling/rules/override.types.ts'
import { qualificationsFor } from '../scheduling/rules/qualifications.rules.ts'
import { loadSchedulingSnapshot } from '../scheduling/rules/scheduling-snapshot.queries.ts'
import type { AircraftMeters } from './meters.rules.ts'
import { findMeters, findOutOn } from './ramp.access.ts'
import type { ReleaseFacts } from './release.types.ts'

/** The input of a release: readings about to be entered, acknowledged squawks, and overrides. */
export interface ReleaseQuestion {
  readings: AircraftMeters
  acknowledged: readonly number[]
  given: readonly GivenOverride[]
}

/**
 * Returns the facts of a release: the facts of the booking rules as if the booking began now with its booked length, and the facts of
 * its aircraft. Busy times of other bookings are left out, because the database refuses overlapping bookings.
 */
export async function findReleaseFacts(
  db: Db,
  actor: Actor,
  now: Date,
  row: ReservationRow,
  { readings, acknowledged, given }: ReleaseQuestion,
): Promise<ReleaseFacts> {
  const { organizationId } = actor
  const length = row.ends_at.getTime() - row.starts_at.getTime()
  const slot = { start: now, end: new Date(now.getTime() + length) }
  const resourceId = row.resource?.id ?? 0
  const { requiredAircraftFiles: requiredFiles, rampOutLeadMinutes } = actor.organization.settings
  return {
    booking: await findFactsAt(db, actor, now, row, { slot, given }),
    reservation: { id: row.id, title: row.title, start: row.starts_at },
    callerName: actor.name,
    squawks: await findOpenSquawks(db, organizationId, resourceId),
    acknowledged,
    outOn: await findOutOn(db, organizationId, row),
    meters: await findMeters(db, organizationId, resourceId),
    readings,
    files: requiredFiles.length > 0 ? await findAircraftFiles(db, organizationId, resourceId) : [],
    requiredFiles,
    rampOutLeadMinutes,
  }
}

/** Returns the facts of the booking rules for an existing booking, as if it took place at the time `slot`. */
export async function findFactsAt(
  db: Db,
  actor: Actor,
  now: Date,
  row: ReservationRow,
  { slot, given }: { slot: Interval; given: readonly GivenOverride[] },
): Promise<BookingFacts> {
  const stored = storedBooking(row)
  const { seats, resourceId } = stored
  const snapshot = await loadSchedulingSnapshot(db, actor.organizationId, {
    ...peopleOf(seats),
    resourceIds: resourceId === null ? [] : [resourceId],
    span: slot,
    now,
    callerId: actor.orgUserId,
    lessonIds: stored.lessonIds,
    ...qualificationsFor(row.type, actor.organization.settings),
  })
  // A member who was removed after the booking keeps the seat, but has no facts.
  const known = seats.filter((seat) => !('orgUserId' in seat) || snapshot.members.has(seat.orgUserId))
  const resource = resourceId === null ? undefined : snapshot.resources.get(resourceId)
  return {
    ...organizationFacts(actor, now, snapshot),
    booking: timesOf({ ...stored, ...slot }),
    seats: known.map((seat) => ({ ...seatFacts(seat, snapshot), taken: [] })),
    resource: resource ? { ...resource, taken: [] } : null,
    overrides: await loadOverrides(db, actor.organizationId, given, standingAt(slot.start, stored)),
  }
}

/** Returns the overrides that are in force for the booking, with `startsAt` set to the start at which the booking is checked. */
function standingAt(startsAt: Date, { keptOverrides = [], resourceId, start, seats }: BookingToPlan) {
  const members = seats.map((seat) => ({ orgUserId: 'orgUserId' in seat ? seat.orgUserId : null }))
  const standing = keptOverrides.filter((one) => isInForce(one, { resourceId, start, seats: members }))
  return standing.map((one) => ({ ...one, startsAt }))
}

/** Returns the squawks of a resource that are open or in progress, oldest first. */
async function findOpenSquawks(db: Db, organizationId: number, resourceId: number) {
  const rows = await db
    .selectFrom('squawk')
    .select(['id', 'title', 'severity'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('status', 'in', ['open', 'in_progress'])
    .orderBy('id')
    .execute()
  return rows.map(({ id, title, severity }) => ({ id, title, grounding: severity === 'grounding' }))
}

/** Returns the category and expiry of each stored file of an aircraft. */
async function findAircraftFiles(db: Db, organizationId: number, resourceId: number) {
  const rows = await db
    .selectFrom('resource_file')
    .select(['category', 'expires_at'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('squawk_id', 'is', null)
    .where('completion_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where('upload', '=', 'stored')
    .execute()
  return rows.map((row) => ({ category: row.category, expiresAt: row.expires_at ?? null }))
}
