import { type RawBuilder, sql } from 'kysely'

/**
 * Returns the lines of invoices, for a `from` clause: the columns of `billed`, which has `id` and `tax_cents`, with the kind of
 * the line, its `cents`, the running sum `up_to` of the lines and their `total`. The tax is one line, and `overpaid` takes what
 * comes in above the total.
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
 * Returns what is paid of a line `l` of `linesOf` when `paid` is paid of its invoice, in cents. What is paid of the lines up to
 * one is their share of what is paid of the invoice, rounded: so the shares add up to what is paid, in any order of parts. The
 * total is not 0.
 */
export function paidOfLine(paid: RawBuilder<unknown>): RawBuilder<unknown> {
  const upTo = (lines: RawBuilder<unknown>) => sql`round(least(${paid}, l.total)::numeric * (${lines}) / l.total)`
  return sql`(${upTo(sql`l.up_to`)} - ${upTo(sql`l.up_to - l.cents`)})`
}

/**
 * Returns what is paid of the lines of some kinds of the given bookings and has not gone back, for a `from` clause: `net` cents
 * of each line, by the rule of the report of revenue. Void invoices count nothing. A refund is of all lines, each in
 * proportion; what was overpaid is of none. The lines of an invoice of 0 cents count when it is settled.
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
  // All of an invoice that is paid in full, and of a settled one of 0 cents, is paid: there is no share to work out.
  return sql`(select l.flight_id, l.resource_id,
      case when l.left >= l.total then l.cents else ${paidOfLine(sql`l.left`)} end as net
    from ${linesOf(organizationId, billed)} l where l.kind = any(${kinds}))`
}
