import { type RawBuilder, sql } from 'kysely'
import { asTenths } from '../../platform/db/tenths.ts'
import type { Cents, Tenths } from '../../platform/kernel/units.ts'
import { flownIn, type ReportScope } from './flown.queries.ts'
import { paidLinesOf } from './paid-lines.queries.ts'

/** The use of one resource in a window. Hours are tenths, money cents. */
export interface UtilizationRow {
  resourceId: number
  name: string
  flights: number
  hobbsDeciHours: Tenths
  tachDeciHours: Tenths
  revenueCents: Cents
  bookedMinutes: number
  flyingDayStartMinute: number | null
  flyingDayEndMinute: number | null
  zone: string
}

/**
 * The kinds of invoice lines that count as a resource's revenue. A `package` line is a prepaid price for the whole
 * flight.
 */
const earnedByResource = ['aircraft', 'simulator', 'package']

/**
 * Selects the use of every resource of an organization, ordered by name: the flights that ended in the window with
 * their meters and paid amounts, and the booked minutes in the window. Maintenance bookings are not counted. Implements
 * interface §Reports.
 */
export function selectUtilization(scope: ReportScope): RawBuilder<UtilizationRow> {
  const { organizationId, window } = scope
  const [start, end] = [sql`${window.start}::timestamptz`, sql`${window.end}::timestamptz`]
  return sql<UtilizationRow>`
    with flown as materialized (select * from ${flownIn(scope)} f where f.metered),
    used as (select resource_id, count(*)::int as flights, sum(hobbs) as hobbs, sum(tach) as tach
      from flown group by resource_id),
    earned as (select resource_id, sum(net) as cents
      from ${paidLinesOf(sql`flown`, organizationId, earnedByResource)} p group by resource_id),
    booked as (select resource_id,
        sum(extract(epoch from least(ends_at, ${end}) - greatest(starts_at, ${start})) / 60) as minutes
      from reservation
      where organization_id = ${organizationId} and live and resource_id is not null and type <> 'maintenance'
        and tstzrange(starts_at, ends_at) && tstzrange(${start}, ${end})
      group by resource_id)
    select s.id as "resourceId", s.name, coalesce(u.flights, 0) as flights, ${asTenths(sql`u.hobbs`)} as "hobbsDeciHours",
      ${asTenths(sql`u.tach`)} as "tachDeciHours", coalesce(e.cents, 0)::bigint as "revenueCents",
      floor(coalesce(b.minutes, 0))::int as "bookedMinutes", s.flying_day_start_minute as "flyingDayStartMinute",
      s.flying_day_end_minute as "flyingDayEndMinute", l.time_zone_name as zone
    from resource s
    join location l on l.organization_id = s.organization_id and l.id = s.location_id
    left join used u on u.resource_id = s.id
    left join earned e on e.resource_id = s.id
    left join booked b on b.resource_id = s.id
    where s.organization_id = ${organizationId}
    order by s.name collate natural_order, s.id`
}
