import { type RawBuilder, sql } from 'kysely'
import type { ReservationType } from '../../fleet/resources/reservation-types.rules.ts'
import type { Position } from '../../platform/db/keyset.ts'
import { countUpTo, readRows, type Source } from '../../platform/db/read-rows.ts'
import { nameOf } from '../../platform/db/sort-keys.ts'
import type { Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import type { BookingLists, BookingParts, ResourceOfReservation } from './booking-parts.types.ts'
import { listsOf, placesOf } from './page-parts.queries.ts'

/** The columns of a booking. */
export interface ReservationColumns {
  id: number
  created_at: Date
  updated_at: Date
  /** The UID of its calendar event. */
  uid: string
  title: string
  type: ReservationType
  starts_at: Date
  ends_at: Date
  time_zone_name: string
  notes: string | null
  created_by: number
  created_by_name: string
  series_id: number | null
  series_index: number | null
  series_count: number | null
  cancelled_at: Date | null
  cancelled_by: number | null
  cancelled_by_name: string | null
  cancellation_reason: string | null
  cancellation_category: string | null
  collection_style: 'close_out' | 'prepaid_fixed'
  prepaid_amount_cents: Cents | null
  ramped_out_at: Date | null
  expected_back_at: Date | null
  ramped_in_at: Date | null
  hobbs_out: Hundredths | null
  hobbs_in: Hundredths | null
  tach_out: Hundredths | null
  tach_in: Hundredths | null
  briefing_tenths: Tenths | null
  signed_off_at: Date | null
  /** Whether every payer must sign; otherwise one of them signs for all. */
  payers_sign: boolean
  meeting_url: string | null
  /** People on board who have no seat on the booking. */
  passengers: number
  ifr: boolean
  reminded_for: Date | null
}

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
      r.briefing_tenths, r.signed_off_at, r.payers_sign, r.meeting_url, r.passengers, r.ifr, r.reminded_for,
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
        ${limit === undefined ? sql`` : sql`limit ${limit}`}
        ${offset === undefined ? sql`` : sql`offset ${offset}`}
      ) r
    )
    select ${columns}, ${partsOfPage(organizationId)}
      ${position === undefined ? sql`` : sql`, ${position} as "cursorPosition"`}
    from page r
    left join membership cm on cm.organization_id = r.organization_id and cm.id = r.created_by
    order by r.place`
}

/** Returns the number of bookings that match a condition, at most `most` + 1. */
export function countReservations(
  source: Source,
  organizationId: number,
  where: RawBuilder<unknown>,
  most: number,
): Promise<number> {
  const rows = sql`reservation r where r.organization_id = ${organizationId} and ${where} order by r.starts_at desc, r.id desc`
  return countUpTo(source, rows, most)
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
      notices: of.notices.get(row.id) ?? [],
      stakes: of.stakes.get(row.id) ?? [],
      lessons: of.lessons.get(row.id) ?? [],
      invoices: of.invoices.get(row.id) ?? [],
      overrides: of.overrides.get(row.id) ?? [],
      packages: of.packages.get(row.id) ?? [],
    }),
  )
}
