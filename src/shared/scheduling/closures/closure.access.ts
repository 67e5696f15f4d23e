import { sql } from 'kysely'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import { identityErrors } from '../../identity/identity.errors.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { schedulingErrors } from '../scheduling.errors.ts'

/** The most closures of an organization that are not over; a series counts as one. */
const MOST_LIVE = 500

/** Returns the id of a new series. */
export async function nextClosureSeries(tx: Tx): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval('closure_series_id')::int as id`.execute(tx.db)
  return rows[0]!.id
}

/** Returns the zone of a closure: that of its location, of its resource's location, or of the organization. */
export async function zoneOfPlace(
  tx: Tx,
  actor: Actor,
  { locationId, resourceId }: { locationId: number | null; resourceId: number | null },
): Promise<string> {
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

/** Checks that the organization may have one more closure. The caller must hold the lock of the organization. */
export async function assertHasRoom(tx: Tx, organizationId: number): Promise<void> {
  const { rows } = await sql<{ live: number }>`
    select count(distinct coalesce(series_id, -id))::int as live from closure
    where organization_id = ${organizationId} and ends_at > ${tx.now}`.execute(tx.db)
  if (rows[0]!.live >= MOST_LIVE) throw schedulingErrors.tooManyClosures({ limit: MOST_LIVE })
}
