import { type RawBuilder, sql } from 'kysely'
import { jsonInstant } from '../../platform/db/read-rows.ts'
import { coversAt } from '../rules/paid-ahead.queries.ts'
import type { BookingLists } from './booking-parts.types.ts'

/** SQL for a FROM clause: the lessons `ll` that are planned (`pl`) for the students on a booking `r`. */
export const plannedLessons: RawBuilder<unknown> = sql`planned_lesson pl
  join syllabus_lesson ll on ll.organization_id = pl.organization_id and ll.version_id = pl.version_id
    and ll.id = pl.lesson_id
  where pl.organization_id = r.organization_id and pl.reservation_id = r.id and exists (select from seat ls
    where ls.organization_id = r.organization_id and ls.reservation_id = r.id and ls.membership_id = pl.membership_id
      and ls.side = 'students')`

/** Selects the planned lessons of the bookings of `page` with their tasks, in the order of planning. */
const lessonsOfPage: RawBuilder<unknown> = sql`select pl.reservation_id, pl.membership_id as "orgUserId", ll.id, ll.name, ll.kind, ll.objectives,
      ll.completion_standards as "completionStandards",
      coalesce((select json_agg(json_build_object('id', lt.id, 'name', lt.name, 'acsCode', lt.acs_code,
          'standard', lt.standard) order by lt.position, lt.id) from syllabus_task lt
        where lt.organization_id = ll.organization_id and lt.version_id = ll.version_id and lt.lesson_id = ll.id), '[]') as tasks
    from page r, ${plannedLessons} order by pl.id`

/**
 * Selects the packages that the members on the flown bookings of `page` may use, in the order in which they were paid. For a
 * member with a valid invoice of the flight, selects what that invoice used. Each step is a subquery of its own (`offset 0`),
 * so that PostgreSQL reads it by its index, whatever the statistics of the tables are.
 */
const packagesOfPage: RawBuilder<unknown> = sql`
      select r.id as reservation_id, p.id as "purchaseId", p.membership_id as "orgUserId", null as "guestId", p.name, p.unit,
        coalesce(u.quantity, p.remaining) as remaining, p.resource_ids as "resourceIds", p.line_kinds as "lineKinds"
      from page r
      cross join lateral (select s.membership_id from seat s where s.organization_id = r.organization_id
        and s.reservation_id = r.id and s.membership_id is not null offset 0) s
      cross join lateral (select p.* from package_purchase p where p.organization_id = r.organization_id
        and p.membership_id = s.membership_id offset 0) p
      cross join lateral (select b.* from invoice b where b.organization_id = r.organization_id
        and b.id = p.invoice_id offset 0) b
      left join lateral (select i.id from invoice i where i.organization_id = r.organization_id
        and i.reservation_id = r.id and i.membership_id = s.membership_id
        and invoice_stands(i.status, i.total_cents, i.credited_cents) offset 0) i on true
      left join lateral (select u.id, u.quantity from package_use u where u.organization_id = r.organization_id
        and u.invoice_id = i.id and u.purchase_id = p.id offset 0) u on true
      where (r.ramped_in_at is not null or r.briefing_tenths is not null)
        and case when i.id is null then ${coversAt(sql`least(r.ends_at, r.ramped_in_at)`)} else u.id is not null end
      order by b.paid_at, p.id`

/**
 * Selects the amount of an invoice `i` that was paid outside the payment gateway and not refunded, in cents: a cancelled
 * booking owes it to the payer. 0 for void invoices and for those that a member's account paid.
 */
export const offlineOfInvoice: RawBuilder<unknown> = sql`case when i.status = 'void' or i.settlement = 'ledger' then 0
  else i.amount_paid_cents - i.gateway_paid_cents - i.refunded_cents + i.gateway_refunded_cents end`

/**
 * The queries of the lists of bookings, by name; their rows are in the order of the list. `of` selects the bookings: a
 * comparison of their ids. Lessons and packages are those of the bookings of `page`.
 */
export const listsOf = {
  seats: (organizationId, of) => sql`
      select s.reservation_id, s.side, s.membership_id as "orgUserId", s.guest_id as "guestId",
        coalesce(m.search_name, g.name) as name, g.email, g.phone, coalesce(m.tax_exempt, false) as "taxExempt", case when s.side = 'instructors' then json_build_object(
          'flight', m.flight_rate_cents, 'ground', m.ground_rate_cents, 'sim', m.sim_rate_cents) end as rates
      from seat s
      left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
      left join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
      where s.organization_id = ${organizationId} and s.reservation_id ${of} order by s.id`,
  confirmations: (organizationId, of) => sql`
      select c.reservation_id, c.membership_id as "orgUserId", c.side, ${jsonInstant('c.confirmed_at')} as "confirmedAt",
        c.recorded_by as "recordedBy", c.amounts
      from confirmation c
      where c.organization_id = ${organizationId} and c.reservation_id ${of} order by c.id`,
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
      select i.reservation_id, i.id, i.membership_id as "orgUserId", i.guest_id as "guestId",
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
        o.reason, json_build_object('orgUserId', m.id, 'name', m.search_name) as by, o.created_at as at
      from rule_override o
      join membership m on m.organization_id = o.organization_id and m.id = o.overridden_by
      where o.organization_id = ${organizationId} and o.reservation_id ${of} order by o.id`,
  packages: () => packagesOfPage,
} satisfies Record<keyof BookingLists, (organizationId: number, of: RawBuilder<unknown>) => RawBuilder<unknown>>

/** The queries of the resources and locations of bookings. `of` is a comparison of their ids. */
export const placesOf = {
  resources: (organizationId: number, of: RawBuilder<unknown>) => sql`
      select x.id, x.location_id as "locationId", x.name, x.kind, x.tail_number as "tailNumber", l.time_zone_name as zone, x.dry_rate_cents as "dryRate",
        x.wet_rate_cents as "wetRate", x.overnight_minimum_tenths as "overnightMinimumTenths",
        x.bill_by_hobbs_time as "billByHobbsTime"
      from resource x left join location l on l.organization_id = x.organization_id and l.id = x.location_id
      where x.organization_id = ${organizationId} and x.id ${of}`,
  locations: (organizationId: number, of: RawBuilder<unknown>) => sql`
      select l.id, l.name, l.time_zone_name as "timeZoneName" from location l
      where l.organization_id = ${organizationId} and l.id ${of}`,
}
