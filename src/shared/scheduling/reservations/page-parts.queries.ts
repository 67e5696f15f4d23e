import { type RawBuilder, sql } from 'kysely'
import { coversAt } from '../rules/paid-ahead.queries.ts'

/** SQL for a FROM clause: the lessons `ll` that are planned (`pl`) for the students on a booking `r`. */
export const plannedLessons: RawBuilder<unknown> = sql`planned_lesson pl
  join syllabus_lesson ll on ll.organization_id = pl.organization_id and ll.version_id = pl.version_id
    and ll.id = pl.lesson_id
  where pl.organization_id = r.organization_id and pl.reservation_id = r.id and exists (select from seat ls
    where ls.organization_id = r.organization_id and ls.reservation_id = r.id and ls.membership_id = pl.membership_id
      and ls.side = 'students')`

/** SQL for whether a document showed the paper of an override `o`: the hash of one that was deleted since stays. */
export const hasPaper: RawBuilder<unknown> = sql`(o.document_id is not null or o.document_sha256 is not null)`

/** Selects the planned lessons of the bookings of `page` with their tasks, in the order of planning. */
export const lessonsOfPage: RawBuilder<unknown> = sql`select pl.reservation_id, pl.membership_id as "orgUserId", ll.id, ll.name, ll.kind, ll.objectives,
      ll.completion_standards as "completionStandards",
      coalesce((select json_agg(json_build_object('id', lt.id, 'name', lt.name, 'acsCode', lt.acs_code,
          'standard', lt.standard) order by lt.position, lt.id) from syllabus_task lt
        where lt.organization_id = ll.organization_id and lt.version_id = ll.version_id and lt.lesson_id = ll.id), '[]') as tasks
    from page r, ${plannedLessons} order by pl.id`

/**
 * Selects the packages that the members on the flown bookings of `page` may use, in the order in which they were paid. For a
 * member whose share of the flight has a valid invoice, selects what that invoice used. Each step is a subquery of its own (`offset 0`),
 * so that PostgreSQL reads it by its index, whatever the statistics of the tables are.
 */
export const packagesOfPage: RawBuilder<unknown> = sql`
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
        and i.reservation_id = r.id and coalesce(i.billed_for_id, i.membership_id) = s.membership_id
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
