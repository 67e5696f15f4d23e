import { sql } from 'kysely'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import { identityErrors } from '../../identity/identity.errors.ts'
import { lockOrganization } from '../../identity/organizations/organization.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { invalidFields, platformErrors } from '../../platform/platform.errors.ts'
import { shapeProblem } from '../rules/problems.ts'
import { expandRecurrence, type Recurrence, type StoredRecurrence } from '../rules/recurrence.rules.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** A closure of one location, of one resource, or of everything. */
export interface NewClosure extends Interval {
  reason: string
  locationId: number | null
  resourceId: number | null
  recurrence: Recurrence | null
  /** The zone in which a recurrence keeps its wall times; null for the location's or the organization's. */
  zone: string | null
}

/** The most closures of an organization that are not over; a series is one. */
const MOST_LIVE = 500

/**
 * Closes the organization, a location or a resource, once or repeatedly. Bookings that it covers stay as they are. Returns
 * the ids of the occurrences. Implements interface §Closures.
 * @throws Invalid for a place that is not the organization's, a recurrence without a series, and too many closures.
 */
export async function addClosure(tx: Tx, actor: Actor, input: NewClosure): Promise<{ ids: number[] }> {
  const { organizationId, orgUserId } = actor
  const { start, end, reason, locationId, resourceId, recurrence } = input
  await lockOrganization(tx, organizationId)
  const placeZone = await zoneOfPlace(tx, actor, input)
  await mustHaveRoom(tx, organizationId)
  const zone = input.zone ?? placeZone
  const series = recurrence && expandRecurrence(recurrence, { start, end }, zone)
  if (series?.problems) throw invalidFields(series.problems.map(shapeProblem))
  const seriesId = series ? await nextSeriesId(tx) : null
  const made = await tx.db
    .insertInto('closure')
    .values(
      (series?.occurrences ?? [{ start, end }]).map((occurrence) => ({
        ...{ organization_id: organizationId, starts_at: occurrence.start, ends_at: occurrence.end, reason },
        ...{ location_id: locationId, resource_id: resourceId, created_by: orgUserId, series_id: seriesId },
        recurrence: recurrence && sql<StoredRecurrence>`${JSON.stringify(recurrence)}::jsonb`,
      })),
    )
    .returning('id')
    .execute()
  const ids = made.map(({ id }) => id).sort((a, b) => a - b)
  const after = { start: start.toISOString(), end: end.toISOString(), locationId, resourceId, count: ids.length }
  emit(tx, actor, { kind: 'closure.created', subject: { kind: 'closure', id: ids[0]! }, after })
  return { ids }
}

async function nextSeriesId(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('closure_series_id')::int as id`.execute(tx.db)
  return rows[0]!.id
}

/** Returns the zone of what is closed, and refuses what is not the organization's. */
async function zoneOfPlace(tx: Tx, actor: Actor, { locationId, resourceId }: NewClosure): Promise<string> {
  const { organizationId, organization } = actor
  if (locationId !== null) {
    const location = await tx.db
      .selectFrom('location')
      .select('time_zone_name')
      .where('organization_id', '=', organizationId)
      .where('id', '=', locationId)
      .executeTakeFirst()
    if (!location) throw identityErrors.unknownLocation({ field: 'locationId' })
    return location.time_zone_name
  }
  if (resourceId === null) return organization.timeZoneName
  const resource = await tx.db
    .selectFrom('resource')
    .innerJoin('location', 'location.id', 'resource.location_id')
    .select('location.time_zone_name')
    .where('resource.organization_id', '=', organizationId)
    .where('resource.id', '=', resourceId)
    .executeTakeFirst()
  if (!resource) throw fleetErrors.unknownResource({ field: 'resourceId' })
  return resource.time_zone_name
}

async function mustHaveRoom(tx: Tx, organizationId: number): Promise<void> {
  const { rows } = await sql<{ live: number }>`
    select count(distinct coalesce(series_id, -id))::int as live from closure
    where organization_id = ${organizationId} and ends_at > ${tx.now}`.execute(tx.db)
  if (rows[0]!.live >= MOST_LIVE) throw schedulingErrors.tooManyClosures({ most: MOST_LIVE })
}

/**
 * Removes a closure; with `series` those of its series that follow it, too. Implements interface §Closures.
 * @throws NotFound when the organization has no such closure.
 */
export async function deleteClosure(tx: Tx, actor: Actor, id: number, series: boolean): Promise<void> {
  const { organizationId } = actor
  const removed = await tx.db
    .deleteFrom('closure')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning(['series_id', 'starts_at'])
    .executeTakeFirst()
  if (!removed) throw platformErrors.noSuchRecord()
  if (series && removed.series_id !== null) {
    await tx.db
      .deleteFrom('closure')
      .where('organization_id', '=', organizationId)
      .where('series_id', '=', removed.series_id)
      .where('starts_at', '>', removed.starts_at)
      .execute()
  }
  emit(tx, actor, { kind: 'closure.deleted', subject: { kind: 'closure', id } })
}
