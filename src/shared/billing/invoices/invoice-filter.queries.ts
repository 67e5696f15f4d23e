import { type RawBuilder, sql } from 'kysely'
import { findNamed } from '../../identity/members/named.queries.ts'
import { containing, type Source } from '../../platform/db/read-rows.ts'

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
  add(filter.ids, sql`i.id = any(${filter.ids})`)
  add(filter.reservationId, sql`i.reservation_id = ${filter.reservationId}`)
  add(filter.orgUserId, sql`i.membership_id = ${filter.orgUserId}`)
  add(filter.start, sql`i.created_at >= ${filter.start}`)
  add(filter.end, sql`i.created_at < ${filter.end}`)
  add(filter.paid, filter.paid ? sql`i.status = 'paid'` : sql`i.status <> 'paid'`)
  add(filter.voided, filter.voided ? sql`i.status = 'void'` : sql`i.status <> 'void'`)
  add(filter.overdue, filter.overdue ? overdueAt(now) : sql`not ${overdueAt(now)}`)
  if (filter.q) all.push(await mentions(source, organizationId, filter.q))
  return sql.join(all, sql` and `)
}

/**
 * Returns the SQL condition of a free text over memo, lines, number and payer. Payers are looked up first: with their
 * ids, the planner can estimate how many invoices match and pick the right index.
 */
async function mentions(source: Source, organizationId: number, q: string): Promise<RawBuilder<unknown>> {
  const { isMember, isGuest } = await findNamed(source, organizationId, q, { byAddress: true })
  const any = [
    sql`i.search like lower(${containing(q)})`,
    isMember('i.membership_id'),
    isGuest('i.guest_id'),
    /^[0-9]{1,9}$/.test(q) ? sql`i.number = ${Number(q)}` : null,
  ]
  return sql`(${sql.join(
    any.filter((one) => one !== null),
    sql` or `,
  )})`
}
