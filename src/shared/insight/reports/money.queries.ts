import { type RawBuilder, sql } from 'kysely'
import { balance, unpaid } from '../../billing/invoices/invoice-filter.queries.ts'
import { refundedBeside } from '../../billing/statements/statement.queries.ts'
import { localTime } from '../../platform/db/local-time.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { addDays, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import type { ReportScope } from './flown.queries.ts'
import { linesOf, paidOfLine } from './paid-lines.queries.ts'
import type { Grouping } from './report-window.rules.ts'

/** The revenue of one kind of line in one day, week or month, in cents; refunds are negative. */
export interface RevenueRow {
  period: string
  kind: string
  revenueCents: Cents
}

/**
 * Selects the revenue of a window by local day, week or month and by kind of invoice line: received payments, minus
 * reversed payments and refunds. Each counts on the day on which it happened, so that the revenue of a past month does
 * not change. Void invoices are not counted. Implements interface §Reports.
 */
export function selectRevenue(
  { organizationId, window: { start, end } }: ReportScope,
  { grouping, zone }: { grouping: Grouping; zone: string },
): RawBuilder<RevenueRow> {
  const within = (at: RawBuilder<unknown>) => sql`${at} >= ${start} and ${at} < ${end}`
  const ofInvoice = (alias: string) => sql`join invoice i on i.organization_id = ${organizationId}
    and i.id = ${sql.ref(`${alias}.invoice_id`)} and i.status <> 'void'`
  return sql<RevenueRow>`
    with touched as materialized (
      select p.invoice_id from payment p where p.organization_id = ${organizationId} and ${within(sql`p.received_at`)}
      union
      select p.invoice_id from payment p where p.organization_id = ${organizationId} and ${within(sql`p.reversed_at`)}
      union
      select i.id from invoice i where i.organization_id = ${organizationId} and ${within(sql`i.paid_at`)}),
    ${partsOf(organizationId)}
    select to_char(date_trunc(${grouping}, ${localTime(sql`at`, zone, { start, end })})::date, 'YYYY-MM-DD') as period, kind,
      sum(cents)::bigint as "revenueCents"
    from (
      select p.at, l.kind, ${shareOfPart} as cents
      from part p join line l on l.id = p.invoice_id
      where ${within(sql`p.at`)}
      union all
      select c.refunded_at, 'refund', -c.refunded_cents
      from credit_note c ${ofInvoice('c')}
      where c.organization_id = ${organizationId} and ${within(sql`c.refunded_at`)}
      union all
      select p.overpaid_returned_at, 'refund', -p.overpaid_cents
      from payment p ${ofInvoice('p')}
      where p.organization_id = ${organizationId} and ${within(sql`p.overpaid_returned_at`)}
      union all
      select i.refunded_at, 'refund', -${refundedBeside}
      from invoice i
      where i.organization_id = ${organizationId} and i.status <> 'void' and ${within(sql`i.refunded_at`)}) entry
    where cents <> 0
    group by 1, 2
    order by 1, 2`
}

/**
 * Returns common table expressions for the payments and lines of the invoices of `touched`. `part` has a row for each
 * payment, for each reversal (negative), and for the rest that was paid in another way, for example from the account of
 * a member. Its `paid` is the paid amount of the invoice after this row. `line` has the lines of the invoices.
 */
function partsOf(organizationId: number): RawBuilder<unknown> {
  return sql`
    billed as materialized (
      select i.id, i.paid_at, i.amount_paid_cents, i.tax_cents from touched t
      join invoice i on i.organization_id = ${organizationId} and i.id = t.invoice_id and i.status <> 'void'),
    payments as materialized (
      select p.invoice_id, p.id, p.received_at, p.amount_cents, p.reversed_at, p.reversed_cents from billed i
      join payment p on p.organization_id = ${organizationId} and p.invoice_id = i.id),
    part as (
      select m.*, sum(cents) over (partition by invoice_id order by at, place, id) as paid
      from (
        select invoice_id, received_at as at, 0 as place, id, amount_cents as cents from payments
        union all
        select invoice_id, reversed_at, 1, id, -reversed_cents from payments where reversed_cents > 0
        union all
        select i.id, i.paid_at, 2, 0, i.amount_paid_cents - coalesce(sum(p.amount_cents - p.reversed_cents), 0)
        from billed i left join payments p on p.invoice_id = i.id
        where i.paid_at is not null group by i.id, i.paid_at, i.amount_paid_cents) m),
    line as (select * from ${linesOf(organizationId, sql`billed`)} l)`
}

/**
 * The share of a line `l` in a part `p`, in cents: the paid amount of the line after the part minus the paid amount
 * before it. So the shares of all lines add up to the part, and the shares of all parts add up to the paid amount of
 * the line. The lines of an invoice with a total of 0 cents count when the invoice is settled.
 */
const shareOfPart = sql`case
  when l.kind = 'overpaid' then greatest(p.paid - l.total, 0) - greatest(p.paid - p.cents - l.total, 0)
  when l.total = 0 then case when p.place = 2 then l.cents else 0 end
  else ${paidOfLine(sql`p.paid`)} - ${paidOfLine(sql`p.paid - p.cents`)} end`

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

/** The scope of receivables: all unpaid invoices of an organization, or those that were created in a window. */
interface ReceivablesScope {
  organizationId: number
  window: { start?: Date; end?: Date }
}

/**
 * Selects the unpaid amounts by payer and age: the local days since the due date or, without one, since the creation of
 * the invoice. Amounts that are not due yet are in the group of 0 to 30 days. A window selects invoices by their
 * creation. Members come before guests, each ordered by id. This is the order of the index, so that the first rows are
 * sent before the last rows are read. Implements interface §Reports.
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
 * Returns SQL for the number of payers of `selectReceivables`, at most `most` + 1. When there are at most `most`
 * invoices, it is the number of invoices instead: there are not more payers than invoices, and nothing has to be
 * grouped before the first row is sent.
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
