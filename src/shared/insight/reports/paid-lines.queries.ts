import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the lines of the invoices `billed` for a `from` clause. `billed` must have the columns `id` and `tax_cents`.
 * A row has the columns of `billed`, the `kind` and `cents` of the line, the running sum `up_to` including the line,
 * and the `total` of all lines. The tax is one line. The line `overpaid` is for payments above the total.
 */
export function linesOf(organizationId: number, billed: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select i.*, l.kind, l.cents, sum(l.cents) over (partition by i.id order by l.place, l.item) as up_to,
      sum(l.cents) over (partition by i.id) as total
    from ${billed} i cross join lateral (
      select t.kind, t.position::int as place, t.id as item, t.amount_cents as cents from invoice_item t
      where t.organization_id = ${organizationId} and t.invoice_id = i.id
      union all
      select 'tax', 100000, 0, i.tax_cents
      union all
      select 'overpaid', 100001, 0, 0) l)`
}

/**
 * Returns the paid amount of a line `l` of `linesOf`, in cents, when `paid` cents of its invoice are paid. Each line
 * gets its share of `paid`. The running sum of the shares is rounded, not each share, so that the shares of all lines
 * add up to `paid`. The total must not be 0.
 */
export function paidOfLine(paid: RawBuilder<unknown>): RawBuilder<unknown> {
  const upTo = (lines: RawBuilder<unknown>) => sql`round(least(${paid}, l.total)::numeric * (${lines}) / l.total)`
  return sql`(${upTo(sql`l.up_to`)} - ${upTo(sql`l.up_to - l.cents`)})`
}

/**
 * Returns the invoice lines of some kinds of the bookings `flown` for a `from` clause, with the paid amount minus
 * refunds as `net`, in cents. The rule is the same as in the revenue report. Void invoices are not counted. A refund
 * reduces all lines in proportion; an overpaid amount belongs to no line. The lines of an invoice with a total of 0
 * cents count when the invoice is settled.
 */
export function paidLinesOf(
  flown: RawBuilder<unknown>,
  organizationId: number,
  kinds: readonly string[],
): RawBuilder<unknown> {
  const billed = sql`(select i.id, i.tax_cents, greatest(i.amount_paid_cents - i.refunded_cents, 0) as left, f.id as flight_id, f.resource_id
    from ${flown} f
    join invoice i on i.organization_id = ${organizationId} and i.reservation_id = f.id and i.status <> 'void'
      and (i.amount_paid_cents > 0 or (i.total_cents = 0 and i.paid_at is not null)))`
  // When an invoice is paid in full, or settled with a total of 0 cents, each of its lines is paid in full.
  return sql`(select l.flight_id, l.resource_id,
      case when l.left >= l.total then l.cents else ${paidOfLine(sql`l.left`)} end as net
    from ${linesOf(organizationId, billed)} l where l.kind = any(${kinds}))`
}
