import { sql } from 'kysely'
import { PLANNED_AT_EACH_RUN } from '../../platform/db/auto-prepare.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import type { BookingAhead, Use } from './forecast.rules.ts'

/** The number of past days over which the use of an aircraft is averaged. */
const PAST_DAYS = 90
/** The number of days ahead whose bookings are read. */
const AHEAD_DAYS = 366

interface PastUse {
  resourceId: number
  bookedHours: number
  hobbs: number
  tach: number
  landings: number
}

/**
 * Returns the average use of aircraft in the last 90 days, by aircraft id: hundredths of each meter per booked hour and
 * per day. Leaves out aircraft without bookings in that time. When the Hobbs or tach meter did not advance, one hour
 * per booked hour is assumed.
 */
export async function findUse(
  db: Db,
  organizationId: number,
  resourceIds: readonly number[],
  now: Date,
): Promise<Map<number, Use>> {
  const rows = await readRows(
    db,
    sql<PastUse>`
      select b.resource_id as "resourceId", sum(extract(epoch from b.ends_at - b.starts_at) / 3600)::float as "bookedHours",
        coalesce(sum(b.hobbs_in - b.hobbs_out), 0)::int as hobbs, coalesce(sum(b.tach_in - b.tach_out), 0)::int as tach,
        coalesce(sum(100 * (select sum(f.day_landings + f.night_landings) from flight_log f
          where f.organization_id = b.organization_id and f.reservation_id = b.id)), 0)::int as landings
      from reservation b
      where b.organization_id = ${organizationId} and b.resource_id = any(${resourceIds}::int[]) and b.live
        and b.type <> 'maintenance' and b.ends_at <= ${now} and b.starts_at > ${now}::timestamptz - make_interval(days => ${PAST_DAYS})
      group by b.resource_id`,
  )
  return new Map(rows.map((row) => [row.resourceId, useOf(row)]))
}

function useOf({ bookedHours, hobbs, tach, landings }: PastUse): Use {
  const use = (used: number, unflown: number) => ({
    perBookedHour: used > 0 ? used / bookedHours : unflown,
    perDay: used / PAST_DAYS,
  })
  return { hobbs: use(hobbs, 100), tach: use(tach, 100), landings: use(landings, 0) }
}

/** The use that is assumed for an aircraft without past bookings: one hour per booked hour, and no landings. */
export const unknownUse: Use = {
  hobbs: { perBookedHour: 100, perDay: 0 },
  tach: { perBookedHour: 100, perDay: 0 },
  landings: { perBookedHour: 0, perDay: 0 },
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
