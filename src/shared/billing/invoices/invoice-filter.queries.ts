import { type RawBuilder, sql } from 'kysely'
import { findNamed } from '../../identity/members/named.queries.ts'
import { containing, type Source } from '../../platform/db/read-rows.ts'
import { textConditions } from '../../platform/db/text-condition.ts'

/** Selects invoices of an organization; all given conditions must hold. */
export interface InvoiceFilter {
  ids?: number[] | undefined
  reservationId?: number | undefined
  orgUserId?: number | undefined
  start?: Date | undefined
  end?: Date | undefined
  q?: string | undefined
  paid?: boolean | undefined
  voided?: boolean | undefined
  overdue?: boolean | undefined
}

/** SQL condition over `i`: the invoice is still to be paid. */
export const unpaid = sql`i.status in ('pending', 'open')`

/** SQL amount over `i` in cents: the amount that the payer owes; negative when the school owes the payer. */
export const balance = sql`i.total_cents - i.credited_cents - i.amount_paid_cents + i.refunded_cents`

/** SQL amount over `i` in cents: the amount paid above the amount due whose refund is not completed yet. */
export const overpaid = sql`(select coalesce(sum(o.overpaid_cents), 0)::int from payment o
  where o.organization_id = i.organization_id and o.invoice_id = i.id and o.overpaid_returned_at is null)`

/**
 * Returns an SQL condition over `i`: the invoice is still to be paid and its due date has passed.
 * Implements interface §Invoice: an invoice without `dueAt` is never overdue.
 */
export function overdueAt(now: Date): RawBuilder<unknown> {
  return sql`(${unpaid} and i.due_at is not null and i.due_at < ${now})`
}

/**
 * Returns the SQL condition of a filter over `i`. Failed invoices, which the payment gateway refused, are included only
 * when the filter names ids.
 * Implements interface §Invoices, GET /invoices.
 */
export async function invoiceCondition(
  source: Source,
  organizationId: number,
  filter: InvoiceFilter,
  now: Date,
): Promise<RawBuilder<unknown>> {
  const all = [sql`i.organization_id = ${organizationId}`]
  const add = (given: unknown, condition: RawBuilder<unknown>) => given !== undefined && all.push(condition)
  if (!filter.ids) all.push(sql`i.status <> 'failed'`)
  // PostgreSQL's generic plan assumes that the list has ten ids. For a list of one id, it would therefore plan the statement each time.
  const [id, ...others] = filter.ids ?? []
  add(filter.ids, id && others.length === 0 ? sql`i.id = ${id}` : sql`i.id = any(${filter.ids})`)
  add(filter.reservationId, sql`i.reservation_id = ${filter.reservationId}`)
  add(filter.orgUserId, sql`i.membership_id = ${filter.orgUserId}`)
  add(filter.start, sql`i.created_at >= ${filter.start}`)
  add(filter.end, sql`i.created_at < ${filter.end}`)
  add(filter.paid, filter.paid ? sql`i.status = 'paid'` : sql`i.status <> 'paid'`)
  add(filter.voided, filter.voided ? sql`i.status = 'void'` : sql`i.status <> 'void'`)
  add(filter.overdue, filter.overdue ? overdueAt(now) : sql`not ${overdueAt(now)}`)
  const listed = sql.join(all, sql` and `)
  return filter.q ? withText(source, organizationId, filter.q, listed) : listed
}

/**
 * Returns the SQL condition of the invoices that fulfil `listed` and have a free text in memo, lines, number or payer. Payers are
 * looked up first.
 */
async function withText(
  source: Source,
  organizationId: number,
  q: string,
  listed: RawBuilder<unknown>,
): Promise<RawBuilder<unknown>> {
  const { isMember, isGuest } = await findNamed(source, organizationId, q, { byAddress: true })
  const any = [
    sql`i.search like lower(${containing(q)})`,
    isMember('i.membership_id'),
    isGuest('i.guest_id'),
    /^[0-9]{1,9}$/.test(q) ? sql`i.number = ${Number(q)}` : null,
  ].filter((one) => one !== null)
  const found = any.map((one) => sql`select i.id from invoice i where ${listed} and ${one}`)
  const { all } = await textConditions(source, {
    organizationId,
    rows: sql`select i.* from invoice i where ${listed} order by i.created_at desc, i.id desc`,
    alias: 'i',
    listed,
    each: sql`(${sql.join(any, sql` or `)})`,
    readsOthers: false,
    indexed: sql`i.id = any(array(${sql.join(found, sql` union all `)}))`,
  })
  return all
}
