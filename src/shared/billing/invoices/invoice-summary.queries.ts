import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { balance, type InvoiceFilter, invoiceCondition, overdueAt, unpaid } from './invoice-filter.queries.ts'

/** Revenue (paid less refunded) and outstanding amounts in cents, with counts. `overdue` is a part of `outstanding`. */
export interface InvoiceSummary {
  revenueCents: Cents
  outstandingCents: Cents
  overdueCents: Cents
  creditedCents: Cents
  refundedCents: Cents
  paidCount: number
  outstandingCount: number
  overdueCount: number
  voidedCount: number
}

/**
 * Returns the totals over the invoices that a filter selects.
 * Implements interface §Invoices, GET /invoices/summary.
 */
export async function summarizeInvoices(
  source: Source,
  organizationId: number,
  filter: InvoiceFilter,
  now: Date,
): Promise<InvoiceSummary> {
  const overdue = overdueAt(now)
  const total = (amount: RawBuilder<unknown>, of: RawBuilder<unknown>) =>
    sql`coalesce(sum(${amount}) filter (where ${of}), 0)`
  const rows = await readRows(
    source,
    sql<InvoiceSummary>`
    select ${total(sql`i.amount_paid_cents - i.refunded_cents`, sql`i.status <> 'void'`)} as "revenueCents",
      ${total(balance, unpaid)} as "outstandingCents",
      ${total(balance, overdue)} as "overdueCents",
      ${total(sql`i.credited_cents`, sql`i.status <> 'void'`)} as "creditedCents",
      ${total(sql`i.refunded_cents`, sql`i.status <> 'void'`)} as "refundedCents",
      count(*) filter (where i.status = 'paid')::int as "paidCount",
      count(*) filter (where ${unpaid})::int as "outstandingCount",
      count(*) filter (where ${overdue})::int as "overdueCount",
      count(*) filter (where i.status = 'void')::int as "voidedCount"
    from invoice i
    where ${await invoiceCondition(source, organizationId, filter, now)}`,
  )
  return rows[0]!
}
