import { type RawBuilder, sql } from 'kysely'
import {
  type Approach,
  type LoggedCount,
  type LoggedTime,
  loggedCounts,
  loggedTimes,
} from '../../dispatch/flight-log.types.ts'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { localTime } from '../../platform/db/local-time.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { flightTenths, meteredTenths } from '../../qualification/currencies/hours-in-model.queries.ts'

/** The names of the times of a logbook entry; the values are in tenths of hours. See 14 CFR 61.51(b). */
export const logbookTimes = [...loggedTimes, 'groundReceived', 'day'] as const
/** The counts of a logbook: takeoffs, landings, holds, and approaches of every kind. */
export const logbookCounts = [...loggedCounts, 'approachCount'] as const

type LogbookColumns = Record<LoggedTime | 'groundReceived' | 'day', Tenths> &
  Record<LoggedCount | 'approachCount', number>

/** One flight, lesson or session in a person's logbook. `totalDeciHours` is null for ground lessons and simulators. */
export interface LogbookRow extends LogbookColumns {
  seatId: number
  reservationId: number
  start: Date
  /** The zone of the booking. The date of the entry is the local day of `start` in this zone. */
  zone: string
  type: ReservationType
  resourceId: number | null
  resourceName: string | null
  tailNumber: string | null
  make: string | null
  model: string | null
  category: string | null
  class: string | null
  deviceKind: string | null
  instructorId: number | null
  instructorName: string | null
  /** False when the person has no flight log; the times then follow from the meters and the seats (`unlogged`). */
  logged: boolean
  totalDeciHours: Tenths | null
  approaches: Approach[]
  route: string | null
  remarks: string | null
  /** When the figures were last corrected while their signatures stood, and the time since then; null without such a correction. */
  correctedAt: Date | null
  correctedDeciHours: Tenths | null
}

/**
 * The sums of the entries of one category, class, kind of device, make and model. Each of these five is null when there
 * is none or it is not known.
 */
export interface LogbookTotals extends LogbookColumns {
  category: string | null
  class: string | null
  deviceKind: string | null
  make: string | null
  model: string | null
  totalDeciHours: Tenths
  /** The zones of the bookings, and the first and the last of their starts: sorting by date needs them. */
  zones: string[]
  first: Date
  last: Date
}

/** The member whose logbook is read, and the window of starts. */
export interface LogbookScope {
  organizationId: number
  orgUserId: number
  window: Partial<Interval>
}

/**
 * The times of a person without a flight log, by the seats of the booking: training received for the only student of a
 * dual flight, pilot in command for the only person on a solo or rental, solo for the only person on a solo,
 * instruction for the instructor of a dual or guest flight, and simulator time for everyone on a simulator booking.
 * Night, instrument and cross-country time are then 0. docs/decisions/0021.
 */
const unlogged: Partial<Record<LoggedTime, RawBuilder<boolean>>> = {
  pic: sql`r.type in ('solo', 'rental') and o.aboard = 1`,
  solo: sql`r.type = 'solo' and o.aboard = 1`,
  dualReceived: sql`r.type = 'dual' and s.side = 'students' and o.beside = 1`,
  instruction: sql`r.type in ('dual', 'guest') and s.side = 'instructors'`,
  simulator: sql`r.type = 'sim'`,
}

/** The ground time as it was signed. */
const briefing = sql`coalesce((r.signed_figures ->> 'briefing')::int, r.briefing_tenths)`

/**
 * Selects a time of an entry. A logged time counts at most as the time of the flight as it was signed, because the meters can be
 * corrected after it was logged and before that.
 */
const timeColumn = (
  time: LoggedTime,
) => sql`case when f.id is not null then least(${sql.ref(`f.${snake(time)}_tenths`)}, t.time)
    when ${unlogged[time] ?? sql`false`} then t.time else 0 end as ${sql.ref(time)}`

const countColumn = (count: LoggedCount) => sql`coalesce(${sql.ref(`f.${snake(count)}`)}, 0) as ${sql.ref(count)}`

/**
 * Selects the entries of a logbook: bookings that were ramped in, and bookings with a briefing time that were never
 * ramped out.
 */
export function entriesOf({ organizationId, orgUserId, window: { start, end } }: LogbookScope): RawBuilder<LogbookRow> {
  return sql<LogbookRow>`(
    select e.*, coalesce(e."totalDeciHours" - e.night, 0) as day from (
      select s.id as "seatId", r.id as "reservationId", r.type, r.starts_at as start,
        r.time_zone_name as zone,
        x.id as "resourceId", x.name as "resourceName", x.tail_number as "tailNumber", x.make, x.model,
        x.traits->>'category' as category, x.traits->>'class' as class, x.traits->>'deviceKind' as "deviceKind",
        i.id as "instructorId", i.name as "instructorName", f.id is not null as logged,
        case when r.type not in ('sim', 'ground') then t.time end as "totalDeciHours",
        ${sql.join(loggedTimes.map(timeColumn))},
        case when s.side = 'students' and r.type <> 'sim' then coalesce(${briefing}, 0) else 0 end as "groundReceived",
        ${sql.join(loggedCounts.map(countColumn))},
        coalesce((select sum((a->>'count')::int) from jsonb_array_elements(f.approaches) a), 0)::int as "approachCount",
        coalesce(f.approaches, '[]') as approaches, f.route, f.remarks, r.corrected_at as "correctedAt",
        case when r.signed_figures is not null then t.corrected end as "correctedDeciHours"
      from seat s
      join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
      left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
      left join flight_log f on f.organization_id = s.organization_id and f.reservation_id = r.id
        and f.membership_id = s.membership_id
      left join lateral (select m.id, m.search_name as name from seat c
        join membership m on m.organization_id = c.organization_id and m.id = c.membership_id
        where c.organization_id = r.organization_id and c.reservation_id = r.id and c.side = 'instructors'
        order by c.id limit 1) i on true
      cross join lateral (select count(*) as aboard, count(*) filter (where c.side = s.side) as beside from seat c
        where c.organization_id = r.organization_id and c.reservation_id = r.id) o
      cross join lateral (select
        case when r.hobbs_in is not null then ${flightTenths} else coalesce(${briefing}, 0) end as time,
        case when r.hobbs_in is not null then ${meteredTenths} else coalesce(r.briefing_tenths, 0) end as corrected) t
      where s.organization_id = ${organizationId} and s.membership_id = ${orgUserId} and r.live
        and (r.ramped_in_at is not null or (r.briefing_tenths is not null and r.ramped_out_at is null))
        ${start ? sql`and s.starts_at >= ${start}` : sql``} ${end ? sql`and s.starts_at < ${end}` : sql``}) e)`
}

/**
 * Returns the logbook of a member as a list source, latest first. Only sorting by date needs its totals. Implements
 * interface §Flight log and 14 CFR 61.51(b).
 */
export function listLogbook(db: Db, scope: LogbookScope, totals: readonly LogbookTotals[] = []) {
  const query = db
    .selectFrom(entriesOf(scope).as('e'))
    .selectAll('e')
    .orderBy('e.start', 'desc')
    .orderBy('e.seatId', 'desc')
  return pageable(db, query, () => logbookSortKeys(totals))
}

/** Selects the logbook of a member, latest first. */
export function selectLogbook(scope: LogbookScope): RawBuilder<LogbookRow> {
  return sql<LogbookRow>`select e.* from ${entriesOf(scope)} e order by e.start desc, e."seatId" desc`
}

/** Returns the sums of a logbook by category, class, device, make and model, in that order. */
export async function findLogbookTotals(db: Db, scope: LogbookScope): Promise<LogbookTotals[]> {
  const groups = ['category', 'class', 'deviceKind', 'make', 'model']
  const sums = [...logbookTimes, ...logbookCounts].map(
    (column) => sql`sum(e.${sql.ref(column)})::int as ${sql.ref(column)}`,
  )
  const by = sql.join(groups.map((column) => sql`e.${sql.ref(column)}`))
  const { rows } = await sql<LogbookTotals>`
    select ${by}, coalesce(sum(e."totalDeciHours"), 0)::int as "totalDeciHours", ${sql.join(sums)},
      array_agg(distinct e.zone) as zones, min(e.start) as first, max(e.start) as last
    from ${entriesOf(scope)} e group by ${by} order by ${by}`.execute(db)
  return rows
}

/**
 * Returns the sort keys of a logbook. The date of an entry is the local day in the zone of its booking; `totals` list
 * these zones.
 */
export const logbookSortKeys = (totals: readonly LogbookTotals[]): SortKeys => ({
  reservationId: byValue('e.reservationId'),
  date: dateIn(totals),
  start: byValue('e.start'),
  type: byText('e.type'),
  'resource.id': byValue('e.resourceId'),
  'resource.name': byText('e.resourceName'),
  'resource.tailNumber': byText('e.tailNumber'),
  ...Object.fromEntries(
    ['make', 'model', 'category', 'class', 'deviceKind'].map((key) => [`resource.${key}`, byText(`e.${key}`)]),
  ),
  'instructor.orgUserId': byValue('e.instructorId'),
  'instructor.name': byText('e.instructorName'),
  logged: byValue('e.logged'),
  totalDeciHours: byValue('e.totalDeciHours'),
  ...Object.fromEntries([...logbookTimes, ...logbookCounts].map((key) => [key, byValue(`e.${key}`)])),
  'approaches.*.kind': (index) => byText(sql`e.approaches->${index}->>'kind'`),
  'approaches.*.count': (index) => sql`(e.approaches->${index}->>'count')::int`,
  'approaches.*.airport': (index) => byText(sql`e.approaches->${index}->>'airport'`),
  route: byText('e.route'),
  remarks: byText('e.remarks'),
  'correctedAfterSigning.at': byValue('e.correctedAt'),
  'correctedAfterSigning.toDeciHours': byValue('e.correctedDeciHours'),
})

function dateIn(totals: readonly LogbookTotals[]): RawBuilder<unknown> {
  const start = sql.ref('e.start')
  const starts = totals.flatMap(({ first, last }) => [first.getTime(), last.getTime()])
  const all = { start: new Date(Math.min(...starts)), end: new Date(Math.max(...starts)) }
  const zones = [...new Set(totals.flatMap((total) => total.zones))]
  const cases = zones.map((zone) => sql`when ${zone} then ${localTime(start, zone, all)}`)
  return cases.length === 0 ? start : sql`(case e.zone ${sql.join(cases, sql` `)} end)::date`
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
