import { type RawBuilder, sql } from 'kysely'
import type { ReservationType, ResourceKind, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { Position } from '../../platform/db/keyset.ts'
import { countUpTo, readRows, type Source } from '../../platform/db/read-rows.ts'
import type { BasisPoints, Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'
import { documentsOfPage, listsOfPage, selectedLists } from './page-parts.queries.ts'
import { type LessonOfReservation, lessonsOfReservation } from './planned-lessons.queries.ts'

/** A person on a booking. Rates are cents an hour, and only instructors have them. */
export interface SeatRow {
  side: Side
  orgUserId: number | null
  guestId: number | null
  name: string
  email: string | null
  phone: string | null
  rates: { flight: Cents | null; ground: Cents | null; sim: Cents | null } | null
}

export interface StakeRow {
  kind: 'readings' | 'percentage' | 'waived'
  orgUserId: number | null
  guestId: number | null
  hobbsOut: Hundredths | null
  hobbsIn: Hundredths | null
  tachOut: Hundredths | null
  tachIn: Hundredths | null
  percentageBps: BasisPoints | null
}

/** An override of a rule, with the resource and the start that the booking had when it was overridden. */
export interface OverrideRow {
  rule: RuleKey
  orgUserId: number | null
  resourceId: number | null
  startsAt: string
  reason: string
  by: { orgUserId: number; name: string }
  at: string
}

export interface InvoiceOfReservation {
  id: number
  orgUserId: number | null
  guestId: number | null
  name: string
  status: 'pending' | 'open' | 'paid' | 'void' | 'failed'
  totalCents: Cents
  payUrl: string | null
}

/** A booking with everything that its response contains or its bill depends on. */
export interface ReservationRow {
  id: number
  created_at: Date
  updated_at: Date
  /** The UID of its calendar event; null for a booking that was made before UIDs were stored. */
  uid: string | null
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
  meeting_url: string | null
  /** People on board who are not on the booking. */
  passengers: number
  ifr: boolean
  reminded_for: Date | null
  resource: ResourceOfReservation | null
  location: { id: number; name: string; timeZoneName: string } | null
  seats: SeatRow[]
  confirmations: { orgUserId: number; side: Side; confirmedAt: string }[]
  stakes: StakeRow[]
  lessons: LessonOfReservation[]
  invoices: InvoiceOfReservation[]
  overrides: OverrideRow[]
}

export interface ResourceOfReservation {
  id: number
  name: string
  kind: ResourceKind
  tailNumber: string | null
  zone: string
  dryRate: Cents | null
  wetRate: Cents | null
  overnightMinimumTenths: Tenths | null
  billByHobbsTime: boolean
}

/**
 * The bookings to read: a condition over `r` (the reservation), and the order, also over its resource `x`, location `l`
 * and creator `ca`. `position` selects the place of a row in its list for cursors.
 */
export interface ReservationSelection {
  where: RawBuilder<unknown>
  orderBy?: RawBuilder<unknown>
  position?: RawBuilder<Position>
  limit?: number
  offset?: number
}

/** Returns bookings of one organization with seats, signatures, stakes and invoices, in one query. */
export function findReservations(
  source: Source,
  organizationId: number,
  selection: ReservationSelection,
): Promise<ReservationRow[]> {
  return readRows(source, selectReservations(organizationId, selection))
}

/**
 * The joins of a booking's resource, location and creator for its order. The planner drops those that a query does not
 * use.
 */
const places = sql`left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    left join location l on l.organization_id = r.organization_id and l.id = r.location_id
    left join membership cm on cm.organization_id = r.organization_id and cm.id = r.created_by`

/**
 * Returns the query of bookings. The page is cut first, and the rows that belong to its bookings are read once for all
 * of them: a subquery per booking takes twice as long.
 */
export function selectReservations(
  organizationId: number,
  selection: ReservationSelection,
): RawBuilder<ReservationRow> {
  const { where, orderBy = sql`r.starts_at desc, r.id desc`, position, limit, offset } = selection
  return sql<ReservationRow>`
    with page as materialized (
      select r.*, row_number() over () as place from (
        select r.* from reservation r ${places} where r.organization_id = ${organizationId} and ${where}
        order by ${orderBy}
        ${limit === undefined ? sql`` : sql`limit ${limit}`}
        ${offset === undefined ? sql`` : sql`offset ${offset}`}
      ) r
    )
    select r.id, r.created_at, r.updated_at, r.uid, r.title, r.type, r.starts_at, r.ends_at, r.time_zone_name, r.notes,
      r.created_by, cm.search_name as created_by_name, r.series_id, r.series_index, r.series_count,
      r.cancelled_at, r.cancelled_by, r.cancellation_reason, r.cancellation_category, r.collection_style,
      r.prepaid_amount_cents, r.ramped_out_at, r.expected_back_at, r.ramped_in_at, r.hobbs_out, r.hobbs_in, r.tach_out, r.tach_in,
      r.briefing_tenths, r.signed_off_at, r.meeting_url, r.passengers, r.ifr, r.reminded_for,
      x.document as resource, l.document as location, ${selectedLists}, ${lessonsOfReservation} as lessons
      ${position === undefined ? sql`` : sql`, ${position} as "cursorPosition"`}
    from page r
    left join membership cm on cm.organization_id = r.organization_id and cm.id = r.created_by
    ${documentsOfPage}
    ${listsOfPage(organizationId)}
    order by r.place`
}

/** Returns one booking of the organization; null when it has none with this id. */
export async function findReservation(
  source: Source,
  organizationId: number,
  id: number,
): Promise<ReservationRow | null> {
  const rows = await findReservations(source, organizationId, { where: sql`r.id = ${id}` })
  return rows[0] ?? null
}

/** Returns the number of bookings of a condition, at most `most` + 1. */
export function countReservations(
  source: Source,
  organizationId: number,
  where: RawBuilder<unknown>,
  most: number,
): Promise<number> {
  const rows = sql`reservation r where r.organization_id = ${organizationId} and ${where} order by r.starts_at desc, r.id desc`
  return countUpTo(source, rows, most)
}
