import { type RawBuilder, sql } from 'kysely'
import { balance, unpaid } from '../../billing/invoices/invoice-filter.queries.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { addDays, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import type { ReportScope } from './flown.queries.ts'
import type { Grouping } from './report-window.rules.ts'

/** What was refunded of an invoice `i` beside credit notes, by an earlier release. */
const refundedBeside = sql`(i.refunded_cents - coalesce((select sum(n.refund_cents) from credit_note n
  where n.organization_id = i.organization_id and n.invoice_id = i.id and n.refund_status <> 'none'), 0))`

/** The revenue of one kind of line in one day, week or month, in cents; refunds are negative. */
export interface RevenueRow {
  period: string
  kind: string
  revenueCents: Cents
}

/**
 * Selects the revenue of a window by local day, week or month and by kind of line: the lines of invoices paid in it and their
 * taxes, less the refunds made in it. A refund counts on its own day, so a closed month does not change. Implements
 * interface §Reports.
 */
export function selectRevenue(
  { organizationId, window: { start, end } }: ReportScope,
  { grouping, zone }: { grouping: Grouping; zone: string },
): RawBuilder<RevenueRow> {
  const period = (at: string) => sql`date_trunc(${grouping}, ${sql.ref(at)} at time zone ${zone})::date`
  return sql<RevenueRow>`
    select to_char(period, 'YYYY-MM-DD') as period, kind, sum(cents)::bigint as "revenueCents"
    from (
      select ${period('i.paid_at')} as period, t.kind, t.amount_cents as cents
      from invoice i
      join invoice_item t on t.organization_id = i.organization_id and t.invoice_id = i.id
      where i.organization_id = ${organizationId} and i.status = 'paid' and i.paid_at >= ${start} and i.paid_at < ${end}
      union all
      select ${period('i.paid_at')}, 'tax', i.tax_cents
      from invoice i
      where i.organization_id = ${organizationId} and i.status = 'paid' and i.tax_cents <> 0
        and i.paid_at >= ${start} and i.paid_at < ${end}
      union all
      select ${period('c.refunded_at')}, 'refund', -c.refunded_cents
      from credit_note c
      join invoice i on i.organization_id = c.organization_id and i.id = c.invoice_id
      where c.organization_id = ${organizationId} and i.status = 'paid' and c.refunded_cents > 0
        and c.refunded_at >= ${start} and c.refunded_at < ${end}
      union all
      select ${period('i.refunded_at')}, 'refund', -${refundedBeside}
      from invoice i
      where i.organization_id = ${organizationId} and i.status = 'paid' and i.refunded_cents > 0
        and i.refunded_at >= ${start} and i.refunded_at < ${end} and ${refundedBeside} > 0) entry
    group by 1, 2
    order by 1, 2`
}

/** The unpaid amounts of one payer, in cents, by local days since they were due. */
export interface ReceivableRow {
  orgUserId: number | null
  guestId: number | null
  name: string
  days0to30Cents: Cents
  days31to60Cents: Cents
  days61to90Cents: Cents
  over90Cents: Cents
  totalCents: Cents
}

/** The scope of receivables: all of an organization, or those of invoices raised in a window. */
interface ReceivablesScope {
  organizationId: number
  window: { start?: Date; end?: Date }
}

/**
 * Selects the unpaid amounts by payer and age: the local days since the due date or, without one, since the invoice was
 * raised. Amounts that are not due yet are in the youngest group. A window selects by the day on which invoices were
 * raised. Members come before guests, each by id: the order of the index, so that the first rows are sent before the
 * last are read. Implements interface §Reports.
 */
export function selectReceivables(
  scope: ReceivablesScope,
  { now, zone }: { now: Date; zone: string },
): RawBuilder<ReceivableRow> {
  const { organizationId } = scope
  const [age30, age60, age90] = [30, 60, 90].map(
    (days) => sql`${wallToInstant(addDays(localDate(now, zone), -days), 0, zone)}::timestamptz`,
  )
  const sumOf = (condition: RawBuilder<unknown>) => sql`coalesce(sum(due) filter (where ${condition}), 0)::bigint`
  return sql<ReceivableRow>`
    select membership_id as "orgUserId", guest_id as "guestId", coalesce(m.search_name, g.name) as name, "days0to30Cents",
      "days31to60Cents", "days61to90Cents", "over90Cents", "totalCents"
    from (
      select membership_id, guest_id, ${sumOf(sql`since >= ${age30}`)} as "days0to30Cents",
        ${sumOf(sql`since < ${age30} and since >= ${age60}`)} as "days31to60Cents",
        ${sumOf(sql`since < ${age60} and since >= ${age90}`)} as "days61to90Cents",
        ${sumOf(sql`since < ${age90}`)} as "over90Cents", sum(due)::bigint as "totalCents"
      from (
        select i.membership_id, i.guest_id, ${balance} as due,
          coalesce(i.due_at, i.created_at) as since
        from invoice i where ${unpaidIn(scope)}) open
      group by membership_id, guest_id) payer
    left join membership m on m.organization_id = ${organizationId} and m.id = membership_id
    left join guest g on g.organization_id = ${organizationId} and g.id = guest_id
    order by membership_id, guest_id`
}

/**
 * Returns the number of payers of `selectReceivables`, at most `most` + 1. When there are at most `most` invoices, it
 * returns their number instead: there are no more payers, and nothing has to be sorted before the first row is sent.
 */
export function countReceivables(scope: ReceivablesScope, most: number): RawBuilder<{ rows: number }> {
  const unpaidInvoices = sql`from invoice i where ${unpaidIn(scope)}`
  return sql`
    with counted as materialized (
      select count(*) as invoices from (select ${unpaidInvoices} limit ${most + 1}) unpaid)
    select (case when invoices <= ${most} then invoices else (
      select count(*) from (select ${unpaidInvoices} group by membership_id, guest_id limit ${most + 1}) payer
    ) end)::int as rows from counted`
}

function unpaidIn({ organizationId, window: { start, end } }: ReceivablesScope): RawBuilder<unknown> {
  return sql.join(
    [
      sql`i.organization_id = ${organizationId} and ${unpaid}`,
      ...(start ? [sql`i.created_at >= ${start}`] : []),
      ...(end ? [sql`i.created_at < ${end}`] : []),
    ],
    sql` and `,
  )
}
