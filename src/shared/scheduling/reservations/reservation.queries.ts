import { type RawBuilder, sql } from 'kysely'
import type { ReservationType, ResourceKind, Side } from '../../fleet/resources/reservation-types.rules.ts'
import type { Position } from '../../platform/db/keyset.ts'
import { countUpTo, readRows, type Source } from '../../platform/db/read-rows.ts'
import type { BasisPoints, Cents, Hundredths, Tenths } from '../../platform/kernel/units.ts'
import type { RuleKey } from '../rules/rule-catalogue.rules.ts'
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

/** An override of a rule, with the aircraft and the start that the booking had then. */
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

/** A booking with everything that its response shows or its bill depends on. */
export interface ReservationRow {
  id: number
  created_at: Date
  updated_at: Date
  /** The UID of its event in calendars; null for a booking that was made before UIDs were stored. */
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
  ramped_in_at: Date | null
  hobbs_out: Hundredths | null
  hobbs_in: Hundredths | null
  tach_out: Hundredths | null
  tach_in: Hundredths | null
  briefing_tenths: Tenths | null
  signed_off_at: Date | null
  meeting_url: string | null
  /** People aboard who are not on the booking. */
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
 * Which bookings: a condition over `r` (the reservation), and the order, also over its resource `x`, location `l` and
 * creator `ca`. The place of a row in its list is selected when it is given.
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

/** The booking's resource, location and creator. The planner drops the joins that a query does not use. */
const places = sql`left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
    left join location l on l.organization_id = r.organization_id and l.id = r.location_id
    left join membership cm on cm.organization_id = r.organization_id and cm.id = r.created_by
    left join account ca on ca.id = cm.account_id`

/** Builds the one query that reads bookings. The page is cut first, so that only its rows are joined. */
export function selectReservations(
  organizationId: number,
  selection: ReservationSelection,
): RawBuilder<ReservationRow> {
  const { where, orderBy = sql`r.starts_at desc, r.id desc`, position, limit, offset } = selection
  return sql<ReservationRow>`
    select r.id, r.created_at, r.updated_at, r.uid, r.title, r.type, r.starts_at, r.ends_at, r.time_zone_name, r.notes,
      r.created_by, ca.name as created_by_name, r.series_id, r.series_index, r.series_count,
      r.cancelled_at, r.cancelled_by, r.cancellation_reason, r.cancellation_category, r.collection_style,
      r.prepaid_amount_cents, r.ramped_out_at, r.ramped_in_at, r.hobbs_out, r.hobbs_in, r.tach_out, r.tach_in,
      r.briefing_tenths, r.signed_off_at, r.meeting_url, r.passengers, r.ifr, r.reminded_for,
      case when x.id is null then null else json_build_object('id', x.id, 'name', x.name, 'kind', x.kind,
        'tailNumber', x.tail_number, 'zone', xl.time_zone_name, 'dryRate', x.dry_rate_cents, 'wetRate', x.wet_rate_cents,
        'overnightMinimumTenths', x.overnight_minimum_tenths, 'billByHobbsTime', x.bill_by_hobbs_time) end as resource,
      case when l.id is null then null else
        json_build_object('id', l.id, 'name', l.name, 'timeZoneName', l.time_zone_name) end as location,
      coalesce((select json_agg(json_build_object('side', s.side, 'orgUserId', s.membership_id, 'guestId', s.guest_id,
          'name', coalesce(a.name, g.name), 'email', g.email, 'phone', g.phone,
          'rates', case when s.side = 'instructors' then json_build_object(
            'flight', m.flight_rate_cents, 'ground', m.ground_rate_cents, 'sim', m.sim_rate_cents) end) order by s.id)
        from seat s
        left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
        left join account a on a.id = m.account_id
        left join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
        where s.organization_id = r.organization_id and s.reservation_id = r.id), '[]') as seats,
      coalesce((select json_agg(json_build_object('orgUserId', c.membership_id, 'side', c.side,
          'confirmedAt', to_char(c.confirmed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by c.id)
        from confirmation c where c.reservation_id = r.id), '[]') as confirmations,
      coalesce((select json_agg(json_build_object('kind', p.kind, 'orgUserId', p.membership_id, 'guestId', p.guest_id,
          'hobbsOut', p.hobbs_out, 'hobbsIn', p.hobbs_in, 'tachOut', p.tach_out, 'tachIn', p.tach_in,
          'percentageBps', p.percentage_bps) order by p.position)
        from payer_stake p where p.reservation_id = r.id), '[]') as stakes,
      ${lessonsOfReservation} as lessons,
      coalesce((select json_agg(json_build_object('id', i.id, 'orgUserId', i.membership_id, 'guestId', i.guest_id,
          'name', coalesce(ia.name, ig.name), 'status', i.status, 'totalCents', i.total_cents, 'payUrl', i.pay_url)
          order by i.id)
        from invoice i
        left join membership im on im.organization_id = i.organization_id and im.id = i.membership_id
        left join account ia on ia.id = im.account_id
        left join guest ig on ig.organization_id = i.organization_id and ig.id = i.guest_id
        where i.organization_id = r.organization_id and i.reservation_id = r.id and i.status <> 'failed'), '[]') as invoices,
      coalesce((select json_agg(json_build_object('rule', o.rule, 'orgUserId', o.membership_id, 'resourceId', o.resource_id,
          'startsAt', o.starts_at, 'reason', o.reason, 'by', json_build_object('orgUserId', o.overridden_by, 'name', oa.name),
          'at', o.created_at) order by o.id)
        from rule_override o
        join membership om on om.organization_id = o.organization_id and om.id = o.overridden_by
        join account oa on oa.id = om.account_id
        where o.organization_id = r.organization_id and o.reservation_id = r.id), '[]') as overrides
      ${position === undefined ? sql`` : sql`, ${position} as "cursorPosition"`}
    from (
      select r.* from reservation r ${places} where r.organization_id = ${organizationId} and ${where}
      order by ${orderBy}
      ${limit === undefined ? sql`` : sql`limit ${limit}`}
      ${offset === undefined ? sql`` : sql`offset ${offset}`}
    ) r
    ${places}
    left join location xl on xl.organization_id = x.organization_id and xl.id = x.location_id
    order by ${orderBy}`
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

/** Counts the bookings of a condition, up to `most` + 1. */
export function countReservations(
  source: Source,
  organizationId: number,
  where: RawBuilder<unknown>,
  most: number,
): Promise<number> {
  const rows = sql`reservation r where r.organization_id = ${organizationId} and ${where} order by r.starts_at desc, r.id desc`
  return countUpTo(source, rows, most)
}
