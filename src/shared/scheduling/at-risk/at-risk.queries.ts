import { type RawBuilder, sql } from 'kysely'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { plannedLessons } from '../reservations/page-parts.queries.ts'
import type { JudgedRow } from '../reservations/reservation.access.ts'
import { findReservations, type ReservationRow } from '../reservations/reservation.queries.ts'
import { type BookingPrincipal, publicBookingPrincipal } from '../rules/load-booking-facts.ts'
import type { StoredFindings } from './at-risk.rules.ts'

/** Returns an SQL condition: the booking `r` is live, starts after `now`, and has no ramp-out and no briefing yet. */
export function isAhead(now: Date) {
  return sql<boolean>`r.live and r.ramped_out_at is null and r.briefing_tenths is null and r.starts_at > ${now}`
}

/** A booking at risk or with warnings, its findings, and since when it has been so. */
export interface BookingAtRisk extends StoredFindings {
  row: ReservationRow
  since: Date
}

/**
 * Selects bookings at risk that start in the window, at one of the locations, and that one of the rules blocks; with
 * `withWarnings` also those that have warnings alone, from one of the rules.
 */
export interface AtRiskFilter extends Interval {
  locationIds?: readonly number[] | undefined
  rules?: readonly string[] | undefined
  withWarnings?: boolean | undefined
}

/** The condition that something blocks the booking of a flag. */
const blocks = sql`rules <> '[]'`

/**
 * Returns the future bookings that are at risk and match the filter, ordered by start. Implements interface §Dispatch, GET
 * /reservations/atRisk.
 */
export function findAtRisk(
  db: Db,
  organizationId: number,
  now: Date,
  { start, end, locationIds, rules, withWarnings }: AtRiskFilter,
): Promise<BookingAtRisk[]> {
  const where = [sql`r.starts_at >= ${start} and r.starts_at < ${end}`]
  if (locationIds) where.push(sql`r.location_id = any(${locationIds}::int[])`)
  if (rules) where.push(sql`(a.rules ?| ${rules}::text[] or a.rules = '[]' and ${warnsBy(rules)})`)
  return readFlagged(db, organizationId, now, {
    flags: withWarnings ? sql`true` : blocks,
    where: sql.join(where, sql` and `),
  })
}

/** Returns the condition that one of these rules warns of the booking of a flag `a`. */
function warnsBy(rules: readonly string[]): RawBuilder<unknown> {
  return sql`exists (select from jsonb_array_elements(a.warnings_for_desk) f where f ->> 'rule' = any(${rules}::text[])
    or f ->> 'rule' like 'currency:%' and 'currency' = any(${rules}::text[]))`
}

/** Returns the future bookings that are at risk among these, ordered by start. */
export function findAtRiskAmong(
  db: Db,
  organizationId: number,
  now: Date,
  reservationIds: readonly number[],
): Promise<BookingAtRisk[]> {
  return readFlagged(db, organizationId, now, { flags: blocks, where: sql`r.id = any(${reservationIds}::int[])` })
}

/**
 * Returns the future bookings that match a condition on the booking `r` and its flag `a`, ordered by start. Reads these `flags`
 * of the organization first: a direct join would read the flags of all organizations.
 */
async function readFlagged(
  db: Db,
  organizationId: number,
  now: Date,
  { flags: wanted, where }: { flags: RawBuilder<unknown>; where: RawBuilder<unknown> },
): Promise<BookingAtRisk[]> {
  const { rows: flags } = await sql<StoredFindings & { reservationId: number; since: Date }>`
    with a as materialized (select * from reservation_at_risk where organization_id = ${organizationId} and ${wanted})
    select a.reservation_id as "reservationId", a.since, a.for_desk as "forDesk", a.for_others as "forOthers",
      a.warnings_for_desk as "warningsForDesk", a.warnings_for_others as "warningsForOthers"
    from a
    join reservation r on r.organization_id = ${organizationId} and r.id = a.reservation_id
    where ${isAhead(now)} and ${where}`.execute(db)
  if (flags.length === 0) return []
  const flagOf = new Map(flags.map(({ reservationId, ...flag }) => [reservationId, flag]))
  const rows = await findReservations(db, organizationId, {
    where: sql`r.id = any(${[...flagOf.keys()]}::int[])`,
    orderBy: sql`r.starts_at, r.id`,
  })
  return rows.map((row) => ({ row, ...flagOf.get(row.id)! }))
}

/**
 * Returns the principal for which the future bookings of a school are checked: its desk. Null when the school does not exist.
 */
export async function findDesk(db: Db, organizationId: number): Promise<BookingPrincipal | null> {
  const row = await db
    .selectFrom('organization')
    .select(['name', 'demo', 'time_zone_name as timeZoneName', 'settings'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!row) return null
  return publicBookingPrincipal({ organizationId, organization: { ...row, settings: readSettings(row.settings) } })
}

/**
 * Returns the ids of the future bookings that changes affect, ordered by start. A change names a booking, a resource, a
 * member, the crew of a booking, a maintenance item or a time. A resource, a member and a time in one change must all match.
 * A change that names nothing affects all bookings. For a member and a time, bookings in the two days before and after are
 * included, because duty hours are counted over 24 hours.
 */
export async function findConcerned(
  db: Db,
  organizationId: number,
  now: Date,
  changes: readonly Record<string, unknown>[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with change as materialized (
      select distinct c.*, coalesce(c."resourceId", d.resource_id) as resource_id
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c ("reservationId" int, "resourceId" int,
        "memberId" int, "crewOf" int, "reminderId" int, start timestamptz, "end" timestamptz)
      left join maintenance_item d on d.organization_id = ${organizationId} and d.id = c."reminderId"),
    concerned as materialized (
      select coalesce(c."memberId", s.membership_id) as membership_id, c.resource_id, c.start - interval '2 days' as start,
        c."end" + interval '2 days' as "end"
      from change c
      left join seat s on s.organization_id = ${organizationId} and s.reservation_id = c."crewOf"
      where coalesce(c."memberId", s.membership_id) is not null)
    select r.id from reservation r
    where r.organization_id = ${organizationId} and ${isAhead(now)} and (
      exists (select from change c where num_nonnulls(c."reservationId", c."resourceId", c."memberId", c."crewOf",
        c."reminderId", c.start) = 0)
      or r.id in (select c."reservationId" from change c where c."reservationId" is not null)
      or r.resource_id in (select c.resource_id from change c where c."memberId" is null and c.start is null)
      or r.id in (select s.reservation_id from concerned c
        join seat s on s.organization_id = ${organizationId} and s.membership_id = c.membership_id and s.live
          and s.ends_at > ${now}
        where (c.start is null or s.starts_at < c."end" and s.ends_at > c.start)
          and (c.resource_id is null or exists (select from reservation b where b.organization_id = ${organizationId}
            and b.id = s.reservation_id and b.resource_id = c.resource_id)))
      or exists (select from change c where c."memberId" is null and c.start < r.ends_at and c."end" > r.starts_at
        and (c."resourceId" is null or c."resourceId" = r.resource_id)))
    order by r.starts_at, r.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The row of a future booking, before its seats and overrides are added. */
type PlaceRow = Omit<JudgedRow, 'resource' | 'location' | 'seats' | 'overrides'> & {
  resourceId: number | null
  locationId: number | null
}

interface OfBooking {
  reservationId: number
}

/**
 * Returns the data that the booking rules read, for the future bookings among these, ordered by start. Uses three separate
 * queries instead of one join: the planner may expect one booking where there are thousands, and would then choose a slow
 * join.
 */
export async function findAhead(
  db: Db,
  organizationId: number,
  now: Date,
  reservationIds: readonly number[],
): Promise<JudgedRow[]> {
  const { rows } = await sql<PlaceRow>`
    select r.id, r.type, r.time_zone_name, r.starts_at, r.ends_at, r.passengers, r.ifr, r.solo, r.collection_style,
      r.resource_id as "resourceId", r.location_id as "locationId",
      coalesce((select json_agg(json_build_object('id', ll.id)) from ${plannedLessons}), '[]') as lessons
    from reservation r
    where r.organization_id = ${organizationId} and r.id = any(${reservationIds}::int[]) and ${isAhead(now)}
    order by r.starts_at, r.id`.execute(db)
  const { rows: seats } = await sql<JudgedRow['seats'][number] & OfBooking>`
    select reservation_id as "reservationId", side, membership_id as "orgUserId", guest_id as "guestId"
    from seat where organization_id = ${organizationId} and reservation_id = any(${reservationIds}::int[])
    order by id`.execute(db)
  const { rows: overrides } = await sql<JudgedRow['overrides'][number] & OfBooking>`
    select o.reservation_id as "reservationId", o.rule, o.membership_id as "orgUserId", o.resource_id as "resourceId",
      o.starts_at as "startsAt", o.reason, o.created_at as at, o.document_id as "documentId", (
        select json_build_object('orgUserId', m.id, 'name', m.search_name) from membership m
        where m.organization_id = o.organization_id and m.id = o.overridden_by) as by
    from rule_override o
    where o.organization_id = ${organizationId} and o.reservation_id = any(${reservationIds}::int[]) and o.ended_at is null
    order by o.id`.execute(db)
  const seatsOf = Map.groupBy(seats, ({ reservationId }) => reservationId)
  const overridesOf = Map.groupBy(overrides, ({ reservationId }) => reservationId)
  return rows.map(({ resourceId, locationId, ...row }) => ({
    ...row,
    resource: resourceId === null ? null : { id: resourceId },
    location: locationId === null ? null : { id: locationId },
    seats: seatsOf.get(row.id) ?? [],
    overrides: overridesOf.get(row.id) ?? [],
  }))
}

/** Returns the ids of the bookings that a notice names; none when the notice does not exist. */
export async function findNoticed(db: Db, organizationId: number, noticeId: number): Promise<number[]> {
  const row = await db
    .selectFrom('at_risk_notice')
    .select('reservation_ids')
    .where('organization_id', '=', organizationId)
    .where('id', '=', noticeId)
    .executeTakeFirst()
  return row?.reservation_ids ?? []
}

/** A stored flag: what has put its booking at risk, and the digest of its content. */
export interface StoredFlag {
  causes: readonly string[]
  digest: string
}

/** Returns the stored flags by booking id: those of these bookings, or all of the organization. */
export async function findStoredFlags(
  db: Db,
  organizationId: number,
  among: readonly number[] | 'all',
): Promise<Map<number, StoredFlag>> {
  let query = db
    .selectFrom('reservation_at_risk')
    .select(['reservation_id', 'causes', 'digest'])
    .where('organization_id', '=', organizationId)
  if (among !== 'all') query = query.where('reservation_id', '=', sql<number>`any(${among}::int[])`)
  const rows = await query.execute()
  return new Map(rows.map(({ reservation_id, ...flag }) => [reservation_id, flag]))
}

/**
 * Returns by orgUserId how many notices of bookings at risk each member has received after an instant; members without one
 * are absent.
 */
export async function countNotified(db: Db, organizationId: number, since: Date): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('at_risk_notice')
    .select(['membership_id', (eb) => eb.fn.countAll<number>().as('times')])
    .where('organization_id', '=', organizationId)
    .where('notified_at', '>', since)
    .groupBy('membership_id')
    .execute()
  return new Map(rows.map(({ membership_id, times }) => [membership_id, Number(times)]))
}
