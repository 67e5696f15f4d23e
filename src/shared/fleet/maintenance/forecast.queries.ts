import { sql } from 'kysely'
import { PLANNED_AT_EACH_RUN } from '../../platform/db/auto-prepare.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { averageUse, type BookingAhead, PAST_DAYS, type PastUse, type Use } from './forecast.rules.ts'

/** The number of days ahead whose bookings are read. */
const AHEAD_DAYS = 366

/**
 * Returns the average use of aircraft in the last 90 days, by aircraft id. Leaves out aircraft without bookings in that time. The days
 * count from the start of the first flight with readings, which can be before that time.
 */
export async function findUse(
  db: Db,
  organizationId: number,
  resourceIds: readonly number[],
  now: Date,
): Promise<Map<number, Use>> {
  const since = sql`${now}::timestamptz - make_interval(days => ${PAST_DAYS})`
  const flown = sql`(b.hobbs_in is not null or b.tach_in is not null)`
  const rows = await readRows(
    db,
    sql<PastUse & { resourceId: number }>`
      select b.resource_id as "resourceId", sum(extract(epoch from b.ends_at - b.starts_at) / 3600)::float as "bookedHours",
        coalesce(sum(b.hobbs_in - b.hobbs_out), 0)::int as hobbs, coalesce(sum(b.tach_in - b.tach_out), 0)::int as tach,
        coalesce(sum(100 * (select sum(f.day_landings + f.night_landings) from flight_log f
          where f.organization_id = b.organization_id and f.reservation_id = b.id)), 0)::int as landings,
        coalesce(case when exists (select from reservation e where e.organization_id = ${organizationId}
            and e.resource_id = b.resource_id and e.live and e.type <> 'maintenance' and e.starts_at <= ${since}
            and (e.hobbs_in is not null or e.tach_in is not null)) then ${PAST_DAYS}
          else extract(epoch from ${now}::timestamptz - min(b.starts_at) filter (where ${flown})) / 86400 end, 0)::float as days
      from reservation b
      where b.organization_id = ${organizationId} and b.resource_id = any(${resourceIds}::int[]) and b.live
        and b.type <> 'maintenance' and b.ends_at <= ${now} and b.starts_at > ${since}
      group by b.resource_id`,
  )
  return new Map(rows.map((row) => [row.resourceId, averageUse(row)]))
}

/**
 * Returns the bookings of the next 366 days that are still to be flown, by aircraft id and sorted by start. Leaves out
 * maintenance bookings.
 */
export async function findBookingsAhead(
  db: Db,
  organizationId: number,
  resourceIds: readonly number[],
  now: Date,
): Promise<Map<number, BookingAhead[]>> {
  const until = new Date(now.getTime() + AHEAD_DAYS * 86_400_000)
  const rows = await db
    .selectFrom('reservation')
    .select(['id', 'resource_id', 'starts_at as start', 'ends_at as end'])
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', sql<number>`any(${resourceIds}::int[])`)
    .where('live', '=', true)
    .where('type', '<>', 'maintenance')
    .where('ramped_in_at', 'is', null)
    .where(sql<boolean>`tstzrange(starts_at, ends_at) && tstzrange(${now}, ${until})`)
    .orderBy('starts_at')
    .orderBy('id')
    .modifyEnd(PLANNED_AT_EACH_RUN)
    .execute()
  return Map.groupBy(rows, (row) => row.resource_id ?? 0)
}
