import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { BookingRequest } from '../booking-requests.tables.ts'
import { findInstructors, findResourcesFor } from '../openings/candidates.queries.ts'
import { findOpeningsAt } from '../openings/find-openings.ts'
import { selectOfferings } from './offering.queries.ts'

type GuestRequest = Pick<BookingRequest, 'id' | 'offeringId' | 'resourceId' | 'startsAt' | 'endsAt'>

/** The instructor and aircraft of a guest's request; null when the school has none. */
export interface Picked {
  resourceId: number | null
  instructorOrgUserId: number | null
}

/**
 * Returns the instructor and aircraft for a public guest's request. What the desk names comes first, then the aircraft that
 * the guest chose; otherwise the first aircraft and instructor of the offering that are free at the same time. When no pair
 * is free, returns the first of each, so that the booking rules report the problems. Locks the approvals of the organization
 * until the commit, so that two of them do not choose the same instructor. Implements interface §Booking requests (approve).
 */
export async function pickInstructor(
  tx: Tx,
  actor: Actor,
  request: GuestRequest,
  named: Partial<Picked> = {},
): Promise<Picked> {
  const { organizationId } = actor
  await sql`select pg_advisory_xact_lock(hashtextextended(${`crews ${organizationId}`}, 0))`.execute(tx.db)
  const { resourceIds, instructorIds } = await candidates(tx, organizationId, request, named)
  const [open] = await findOpeningsAt(tx.db, actor, tx.now, {
    type: 'guest',
    start: request.startsAt,
    durationMinutes: (request.endsAt.getTime() - request.startsAt.getTime()) / 60_000,
    resourceIds,
    orgUserIds: [],
    instructorIds,
    exceptRequestId: request.id,
  })
  const instructor = open?.crew.find(({ side }) => side === 'instructors')?.orgUserId
  return {
    resourceId: open ? (open.resource?.id ?? null) : (resourceIds[0] ?? null),
    instructorOrgUserId: instructor ?? instructorIds[0] ?? null,
  }
}

async function candidates(tx: Tx, organizationId: number, request: GuestRequest, named: Partial<Picked>) {
  const offering = await offeringOf(tx, organizationId, request)
  const resourceId = named.resourceId ?? request.resourceId
  const offered = resourceId ? [resourceId] : (offering?.resource_ids ?? [])
  const instructors = offering?.instructor_ids ?? []
  return {
    resourceIds: offered.length > 0 ? offered : await findResourcesFor(tx.db, organizationId, 'guest'),
    instructorIds: named.instructorOrgUserId
      ? [named.instructorOrgUserId]
      : await findInstructors(tx.db, organizationId, instructors.length > 0 ? instructors : undefined),
  }
}

async function offeringOf(tx: Tx, organizationId: number, { offeringId }: GuestRequest) {
  if (!offeringId) return undefined
  return selectOfferings(tx.db, organizationId).where('id', '=', offeringId).executeTakeFirst()
}
