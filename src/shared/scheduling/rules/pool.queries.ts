import { type RawBuilder, sql } from 'kysely'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import type { Db } from '../../platform/db/database.ts'
import type { PoolMember } from './pool-order.rules.ts'

/** A pool that a booking names in place of a resource; with a location, only what is based there. */
export interface PoolChoice {
  pool: string
  locationId: number | null
}

/**
 * Returns the ids of the resources of a pool. Case does not matter.
 * @throws Invalid when the organization has no such pool, or nothing of it is at the location
 */
export async function findPoolMembers(
  db: Db,
  organizationId: number,
  choice: PoolChoice,
  field = 'resource.pool',
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select x.id from resource x where ${isOf(organizationId, choice)} order by x.id`.execute(db)
  if (rows.length === 0) throw fleetErrors.unknownPool({ field })
  return rows.map(({ id }) => id)
}

/**
 * Returns the resources of a pool with their live bookings that start within 26 hours of one of the starts: a local day has at
 * most 25 hours.
 * @throws Invalid as `findPoolMembers`
 */
export async function loadPool(
  db: Db,
  organizationId: number,
  choice: PoolChoice,
  starts: readonly Date[],
): Promise<PoolMember[]> {
  const { rows } = await sql<{ id: number; zone: string; start: Date | null; end: Date | null }>`
    select x.id, l.time_zone_name as zone, b.starts_at as start, b.ends_at as "end"
    from resource x
    join location l on l.organization_id = x.organization_id and l.id = x.location_id
    left join lateral (
      select distinct r.id, r.starts_at, r.ends_at
      from unnest(${starts.map((start) => start.toISOString())}::timestamptz[]) o (start)
      join reservation r on r.organization_id = x.organization_id and r.resource_id = x.id and r.live
        and r.starts_at between o.start - interval '26 hours' and o.start + interval '26 hours') b on true
    where ${isOf(organizationId, choice)}
    order by x.id`.execute(db)
  if (rows.length === 0) throw fleetErrors.unknownPool({ field: 'resource.pool' })
  return [...Map.groupBy(rows, ({ id }) => id)].map(([id, own]) => ({
    id,
    zone: own[0]!.zone,
    booked: own.flatMap(({ start, end }) => (start && end ? [{ start, end }] : [])),
  }))
}

function isOf(organizationId: number, { pool, locationId }: PoolChoice): RawBuilder<boolean> {
  return sql`x.organization_id = ${organizationId} and x.pool is not null and lower(x.pool) = lower(${pool})
    and (${locationId}::int is null or x.location_id = ${locationId}::int)`
}
