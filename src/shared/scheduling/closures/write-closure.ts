import { sql } from 'kysely'
import { lockOrganization } from '../../identity/organizations/organization.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { invalidFields, platformErrors } from '../../platform/platform.errors.ts'
import { shapeProblem } from '../rules/problems.ts'
import { expandRecurrence, type Recurrence, type StoredRecurrence } from '../rules/recurrence.rules.ts'
import { assertHasRoom, nextClosureSeries, zoneOfPlace } from './closure.access.ts'

/** A closure of one location, of one resource, or of the whole organization. */
export interface NewClosure extends Interval {
  reason: string
  locationId: number | null
  resourceId: number | null
  recurrence: Recurrence | null
  /**
   * The zone of the wall times of a recurrence; null: the zone of the location, of the resource's location, or of the
   * organization.
   */
  zone: string | null
}

/**
 * Closes the organization, a location or a resource, once or repeatedly. Bookings in that time stay as they are. Returns the
 * ids of the occurrences. Implements interface §Closures.
 */
export async function addClosure(tx: Tx, actor: Actor, input: NewClosure): Promise<{ ids: number[] }> {
  const { organizationId, orgUserId } = actor
  const { start, end, reason, locationId, resourceId, recurrence } = input
  await lockOrganization(tx, organizationId)
  const placeZone = await zoneOfPlace(tx, actor, input)
  await assertHasRoom(tx, organizationId)
  const zone = input.zone ?? placeZone
  const series = recurrence && expandRecurrence(recurrence, { start, end }, zone)
  if (series?.problems) throw invalidFields(series.problems.map(shapeProblem))
  const seriesId = series ? await nextClosureSeries(tx) : null
  const made = await tx.db
    .insertInto('closure')
    .values(
      (series?.occurrences ?? [{ start, end }]).map((occurrence) => ({
        organization_id: organizationId,
        starts_at: occurrence.start,
        ends_at: occurrence.end,
        reason,
        location_id: locationId,
        resource_id: resourceId,
        created_by: orgUserId,
        series_id: seriesId,
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

/** Deletes a closure; with `series` also the later closures of its series. Implements interface §Closures. */
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
