import { type RawBuilder, sql } from 'kysely'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import type { Db } from '../../platform/db/database.ts'
import { localDate } from '../../platform/kernel/zones.ts'

/** A pool that a booking names in place of a resource; with a location, only what is based there. */
export interface PoolChoice {
  pool: string
  locationId: number | null
}

/** The most resources of a pool that are judged for one booking. */
const MOST_JUDGED = 20

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
 * Returns for each start the resources of a pool in the order in which they are taken: first the least booked hours on the
 * local day of the start, then the lowest id. Implements interface §Reservations (`resource.pool`).
 * @throws Invalid as `findPoolMembers`
 */
export async function findPoolOrders(
  db: Db,
  organizationId: number,
  choice: PoolChoice,
  starts: readonly Date[],
): Promise<number[][]> {
  const { rows } = await sql<PooledAt>`
    select o.at::int - 1 as at, x.id, l.time_zone_name as zone, b.booked
    from unnest(${starts.map((start) => start.toISOString())}::timestamptz[]) with ordinality as o (start, at)
    cross join resource x
    join location l on l.organization_id = x.organization_id and l.id = x.location_id
    cross join lateral (
      select coalesce(json_agg(json_build_array(
          extract(epoch from r.starts_at), extract(epoch from r.ends_at - r.starts_at))), '[]') as booked
      from reservation r
      where r.organization_id = x.organization_id and r.resource_id = x.id and r.live
        and r.starts_at between o.start - interval '1 day 2 hours' and o.start + interval '1 day 2 hours') b
    where ${isOf(organizationId, choice)}`.execute(db)
  if (rows.length === 0) throw fleetErrors.unknownPool({ field: 'resource.pool' })
  const ofStart = Map.groupBy(rows, ({ at }) => at)
  return starts.map((start, at) => {
    const judged = (ofStart.get(at) ?? []).map((one) => ({ id: one.id, booked: bookedOnDay(start, one) }))
    const inOrder = judged.toSorted((one, other) => one.booked - other.booked || one.id - other.id)
    return inOrder.slice(0, MOST_JUDGED).map(({ id }) => id)
  })
}

/** A resource of a pool at a start, with its bookings of about that day: when each begins, and how long it is, in seconds. */
interface PooledAt {
  at: number
  id: number
  zone: string
  booked: [start: number, length: number][]
}

/** Returns how long a resource is booked on the local day of a start, in seconds. */
function bookedOnDay(start: Date, { zone, booked }: PooledAt): number {
  const day = localDate(start, zone)
  const ofDay = booked.filter(([begins]) => localDate(new Date(begins * 1000), zone) === day)
  return ofDay.reduce((total, [, length]) => total + length, 0)
}

function isOf(organizationId: number, { pool, locationId }: PoolChoice): RawBuilder<boolean> {
  return sql`x.organization_id = ${organizationId} and x.pool is not null and lower(x.pool) = lower(${pool})
    and (${locationId}::int is null or x.location_id = ${locationId}::int)`
}
