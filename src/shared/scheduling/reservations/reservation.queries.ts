import { type RawBuilder, sql } from 'kysely'
import { payerOfMember } from '../../identity/members/payer.queries.ts'
import type { Position } from '../../platform/db/keyset.ts'
import { jsonInstant, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { nameOf } from '../../platform/db/sort-keys.ts'
import type { BookingLists, BookingParts, ReservationColumns, ResourceOfReservation } from './booking-parts.types.ts'
import { hasPaper, lessonsOfPage, offlineOfInvoice, packagesOfPage } from './page-parts.queries.ts'

/** A booking with everything that its response contains or its bill depends on. */
export type ReservationRow = ReservationColumns & BookingParts

/** A row of a page of bookings: the first row carries the parts (seats, invoices, …) of all of them. */
type PagedReservation = ReservationColumns & OfPage

/**
 * The bookings to read: an SQL condition on the reservation `r`, and an order, which may also use its resource `x`, location
 * `l` and creator `cm`. `position` selects the place of a row in its list, for cursors.
 */
export interface ReservationSelection {
  where: RawBuilder<unknown>
  orderBy?: RawBuilder<unknown>
  position?: RawBuilder<Position>
  limit?: number
  offset?: number
}

/** Returns bookings of one organization with seats, signatures, stakes and invoices, in one query. */
export async function findReservations(
  source: Source,
  organizationId: number,
  selection: ReservationSelection,
): Promise<ReservationRow[]> {
  return withParts(await readRows(source, selectReservations(organizationId, selection)))
}

/**
 * SQL joins to a booking's resource, location and creator, by which bookings can be sorted. PostgreSQL drops the joins
 * that a query does not use.
 */
export const places = sql`left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    left join location l on l.organization_id = r.organization_id and l.id = r.location_id
    left join membership cm on cm.organization_id = r.organization_id and cm.id = r.created_by`

/** SQL for the columns of a booking `r` with its creator `cm`. */
export const columns = sql`r.id, r.created_at, r.updated_at, r.uid, r.title, r.type, r.starts_at, r.ends_at, r.time_zone_name, r.notes,
      r.created_by, cm.search_name as created_by_name, r.series_id, r.series_index, r.series_count,
      r.cancelled_at, r.cancelled_by, ${nameOf(sql`r.cancelled_by`)} as cancelled_by_name, r.cancellation_reason,
      r.cancellation_category, r.collection_style,
      r.prepaid_amount_cents, r.ramped_out_at, r.expected_back_at, r.ramped_in_at, r.hobbs_out, r.hobbs_in, r.tach_out, r.tach_in,
      r.briefing_tenths, r.signed_off_at, r.payers_sign, r.corrections, r.corrected_by,
      ${nameOf(sql`r.corrected_by`)} as corrected_by_name, r.corrected_at, r.correction_reason, r.signed_figures, r.meeting_url, r.passengers, r.ifr, r.solo, r.reminded_for,
      r.cancellation_terms, r.notice_start, r.made_after_start,
      r.resource_id, r.location_id`

/**
 * Returns the query of a page of bookings. The limit applies first; the first row carries the parts of all bookings of the
 * page.
 */
export function selectReservations(
  organizationId: number,
  selection: ReservationSelection,
): RawBuilder<PagedReservation> {
  const { where, orderBy = sql`r.starts_at desc, r.id desc`, position, limit, offset } = selection
  return sql<PagedReservation>`
    with page as materialized (
      select r.*, row_number() over () as place from (
        select r.* from reservation r ${places} where r.organization_id = ${organizationId} and ${where}
        order by ${orderBy}
        ${limit === undefined ? sql`` : pageLimit(limit, offset)}
      ) r
    )
    select ${columns}, ${partsOfPage(organizationId)}
      ${position === undefined ? sql`` : sql`, ${position} as "cursorPosition"`}
    from page r
    left join membership cm on cm.organization_id = r.organization_id and cm.id = r.created_by
    order by r.place`
}

/** Returns one booking that probably has figures, signatures or invoices, by one statement; null when there is none. */
export async function findFlight(source: Source, organizationId: number, id: number): Promise<ReservationRow | null> {
  const rows = await findReservations(source, organizationId, { where: sql`r.id = ${id}` })
  return rows[0] ?? null
}

/**
 * The queries of the lists of bookings, by name; their rows are in the order of the list. `of` selects the bookings: a
 * comparison of their ids. Lessons and packages are those of the bookings of `page`.
 */
export const listsOf = {
  seats: (organizationId, of) => sql`
      select s.reservation_id, s.side, s.membership_id as "orgUserId", s.guest_id as "guestId",
        coalesce(m.search_name, g.name) as name, g.email, g.phone, coalesce(p.tax_exempt, m.tax_exempt, false) as "taxExempt", coalesce(p.id, m.id) as "payerId", case when s.side = 'instructors' then json_build_object(
          'flight', m.flight_rate_cents, 'ground', m.ground_rate_cents, 'sim', m.sim_rate_cents) end as rates
      from seat s
      left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
      left join membership p on p.organization_id = m.organization_id and p.id = m.bill_to_id and m.bill_to_accepted_at is not null
      left join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
      where s.organization_id = ${organizationId} and s.reservation_id ${of} order by s.id`,
  confirmations: (organizationId, of) => sql`
      select c.reservation_id, c.membership_id as "orgUserId", c.side, ${jsonInstant('c.confirmed_at')} as "confirmedAt",
        c.recorded_by as "recordedBy", c.amounts
      from confirmation c
      where c.organization_id = ${organizationId} and c.reservation_id ${of} order by c.id`,
  objections: (organizationId, of) => sql`
      select j.reservation_id, j.membership_id as "orgUserId", m.search_name as name, j.note,
        ${jsonInstant('j.objected_at')} as at, ${jsonInstant('j.closed_at')} as "closedAt", j.closing_reason as "closingReason"
      from correction_objection j
      join reservation jr on jr.organization_id = j.organization_id and jr.id = j.reservation_id
        and (j.correction = jr.corrections or j.closed_at is null)
      join membership m on m.organization_id = j.organization_id and m.id = j.membership_id
      where j.organization_id = ${organizationId} and j.reservation_id ${of} order by j.id`,
  notices: (organizationId, of) => sql`
      select n.reservation_id, n.membership_id as "orgUserId", ${jsonInstant('n.notified_at')} as "notifiedAt"
      from charge_notice n
      where n.organization_id = ${organizationId} and n.reservation_id ${of} order by n.id`,
  stakes: (organizationId, of) => sql`
      select p.reservation_id, p.kind, p.membership_id as "orgUserId", p.guest_id as "guestId", p.hobbs_out as "hobbsOut",
        p.hobbs_in as "hobbsIn", p.tach_out as "tachOut", p.tach_in as "tachIn", p.percentage_bps as "percentageBps"
      from payer_stake p
      where p.organization_id = ${organizationId} and p.reservation_id ${of} order by p.position`,
  lessons: () => lessonsOfPage,
  invoices: (organizationId, of) => sql`
      select i.reservation_id, i.id, i.membership_id as "orgUserId", i.billed_for_id as "billedFor", i.guest_id as "guestId",
        coalesce(m.search_name, g.name) as name, i.status, i.total_cents as "totalCents", i.pay_url as "payUrl",
        ${offlineOfInvoice} as "offlineCents",
        invoice_stands(i.status, i.total_cents, i.credited_cents) as stands
      from invoice i
      left join membership m on m.organization_id = i.organization_id and m.id = i.membership_id
      left join guest g on g.organization_id = i.organization_id and g.id = i.guest_id
      where i.organization_id = ${organizationId} and i.reservation_id ${of} and i.status <> 'failed'
      order by i.id`,
  overrides: (organizationId, of) => sql`
      select o.reservation_id, o.rule, o.membership_id as "orgUserId", o.resource_id as "resourceId", o.starts_at as "startsAt",
        o.reason, json_build_object('orgUserId', m.id, 'name', m.search_name) as by, o.created_at as at,
        o.document_id as "documentId", ${hasPaper} as "hasPaper"
      from rule_override o
      join membership m on m.organization_id = o.organization_id and m.id = o.overridden_by
      where o.organization_id = ${organizationId} and o.reservation_id ${of} and o.ended_at is null order by o.id`,
  fees: (organizationId, of) => sql`
      select f.reservation_id, f.membership_id as "orgUserId", (select ${payerOfMember} from membership m
          where m.organization_id = f.organization_id and m.id = f.membership_id) as "payerId",
        ${jsonInstant('f.cancelled_at')} as "cancelledAt", f.cents, f.status, ${jsonInstant('f.charge_at')} as "chargeAt",
        f.free_count as "freeCount", f.objection, f.reason, f.invoice_id as "invoiceId",
        invoice_stands(i.status, i.total_cents, i.credited_cents) as stands,
        case when d.id is not null then json_build_object('orgUserId', d.id, 'name', d.search_name) end as "decidedBy"
      from cancellation_fee f
      left join membership d on d.organization_id = f.organization_id and d.id = f.decided_by
      left join invoice i on i.organization_id = f.organization_id and i.id = f.invoice_id
      where f.organization_id = ${organizationId} and f.reservation_id ${of} order by f.cancelled_at`,
  packages: () => packagesOfPage,
} satisfies Record<keyof BookingLists, (organizationId: number, of: RawBuilder<unknown>) => RawBuilder<unknown>>

/** The queries of the resources and locations of bookings. `of` is a comparison of their ids. */
export const placesOf = {
  resources: (organizationId: number, of: RawBuilder<unknown>) => sql`
      select x.id, x.location_id as "locationId", x.name, x.kind, x.tail_number as "tailNumber", x.pool, l.time_zone_name as zone, x.dry_rate_cents as "dryRate",
        x.wet_rate_cents as "wetRate", x.overnight_minimum_tenths as "overnightMinimumTenths",
        x.bill_by_hobbs_time as "billByHobbsTime"
      from resource x left join location l on l.organization_id = x.organization_id and l.id = x.location_id
      where x.organization_id = ${organizationId} and x.id ${of}`,
  locations: (organizationId: number, of: RawBuilder<unknown>) => sql`
      select l.id, l.name, l.time_zone_name as "timeZoneName" from location l
      where l.organization_id = ${organizationId} and l.id ${of}`,
}

const ofPage = sql`= any(array(select id from page))`

const listNames = Object.keys(listsOf) as (keyof BookingLists)[]

/**
 * The lists, resources and locations of a page of bookings; null for an empty list. `reservation_id` is the booking of a row.
 */
type PageParts = Record<keyof BookingLists, { reservation_id: number }[] | null> & {
  resources: ResourceOfReservation[] | null
  locations: NonNullable<BookingParts['location']>[] | null
}

/** The columns that connect a booking of a page with its parts. `parts` is null except in the first row. */
interface OfPage {
  resource_id: number | null
  location_id: number | null
  parts: PageParts | null
}

/**
 * Returns SQL for the parts of all bookings of `page`, which only the first row `r` carries. They are read once per page.
 * Joins to each booking, or subqueries per booking, take several times as long, and a hundred times when PostgreSQL expects
 * one booking and finds a hundred.
 */
function partsOfPage(organizationId: number): RawBuilder<unknown> {
  const parts = {
    ...Object.fromEntries(listNames.map((name) => [name, listsOf[name](organizationId, ofPage)])),
    resources: placesOf.resources(organizationId, sql`= any(array(select resource_id from page))`),
    locations: placesOf.locations(organizationId, sql`= any(array(select location_id from page))`),
  }
  const lists = Object.entries(parts).map(
    ([name, rows]) => sql`${sql.lit(name)}::text, (select json_agg(one) from (${rows}) one)`,
  )
  return sql`case when r.place = 1 then json_build_object(${sql.join(lists)}) end as parts`
}

/** Returns the bookings of a page, each with its parts. */
function withParts<Row extends OfPage & { id: number }>(page: Row[]): (Row & BookingParts)[] {
  const parts = page[0]?.parts
  const of = Object.fromEntries(
    listNames.map((name) => [name, Map.groupBy(parts?.[name] ?? [], (row) => row.reservation_id)]),
  ) as unknown as { [Name in keyof BookingLists]: Map<number, BookingLists[Name]> }
  const resources = new Map(parts?.resources?.map((resource) => [resource.id, resource]))
  const locations = new Map(parts?.locations?.map((location) => [location.id, location]))
  return page.map((row) =>
    Object.assign(row, {
      resource: resources.get(row.resource_id ?? 0) ?? null,
      location: locations.get(row.location_id ?? 0) ?? null,
      seats: of.seats.get(row.id) ?? [],
      confirmations: of.confirmations.get(row.id) ?? [],
      objections: of.objections.get(row.id) ?? [],
      notices: of.notices.get(row.id) ?? [],
      stakes: of.stakes.get(row.id) ?? [],
      lessons: of.lessons.get(row.id) ?? [],
      invoices: of.invoices.get(row.id) ?? [],
      overrides: of.overrides.get(row.id) ?? [],
      fees: of.fees.get(row.id) ?? [],
      packages: of.packages.get(row.id) ?? [],
    }),
  )
}
