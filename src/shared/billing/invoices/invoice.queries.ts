import { type RawBuilder, sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import { orderOf, type Sort } from '../../platform/db/sort-keys.ts'
import { undeliveredJson } from '../../platform/deliveries/undelivered-mail.queries.ts'
import type { Undelivered } from '../../platform/deliveries/undelivered-mail.types.ts'
import type { Cents, Hundredths } from '../../platform/kernel/units.ts'
import type { TaxedLine, TaxTotal } from '../flight-bill/flight-bill.types.ts'
import type { disputeStatuses, Invoice, paymentMethods } from '../invoices.tables.ts'
import type { StoredMethod } from '../payments/payment.rules.ts'
import type { invoiceStatuses, settlements } from './invoice.states.ts'
import type { InvoiceFigures } from './invoice-figures.rules.ts'
import { type InvoiceFilter, invoiceCondition, overpaid } from './invoice-filter.queries.ts'
import { invoiceSortKeys } from './invoice-sort-keys.queries.ts'
import { refundAtGateway } from './invoices.jobs.ts'

export interface InvoiceItemRow {
  id: number
  kind: string
  description: string
  quantityHundredths: Hundredths
  unit: string
  unitPrice: Cents
  amountCents: Cents
  taxCents: Cents
  createdAt: string
  updatedAt: string
}

/** An invoice with its lines and payer. */
export interface InvoiceRow {
  id: number
  created_at: Date
  updated_at: Date
  number: number | null
  status: (typeof invoiceStatuses)[number]
  settlement: (typeof settlements)[number]
  reservation_id: number | null
  enrollment_id: number | null
  membership_id: number | null
  guest_id: number | null
  /** The orgUserId of who raised it; null for a charge that the service made by itself. */
  raised_by: number | null
  billed_for: PersonRow | null
  payer_name: string
  payer_email: string | null
  payer_phone: string | null
  memo: string | null
  total_cents: Cents
  tax_cents: Cents
  taxes: TaxTotal[]
  credited_cents: Cents
  amount_paid_cents: Cents
  currency: string
  due_at: Date | null
  paid_at: Date | null
  payment_method: (typeof paymentMethods)[number] | null
  refunded_cents: Cents
  refunded_at: Date | null
  refund_waiting_at: Date | null
  voided_at: Date | null
  void_reason: string | null
  pay_url: string | null
  pdf_url: string | null
  gateway_invoice_id: string | null
  gateway_error: string | null
  reminded_at: Date | null
  undelivered: Undelivered | null
  overpaid_cents: Cents
  dispute_status: (typeof disputeStatuses)[number] | null
  dispute_cents: Cents | null
  dispute_due_at: Date | null
  items: InvoiceItemRow[]
  payments: PaymentRow[]
}

/** Returns the total, credited, paid and refunded amounts of an invoice, in cents. */
export function figuresOf(row: InvoiceRow): InvoiceFigures {
  return {
    totalCents: row.total_cents,
    creditedCents: row.credited_cents,
    amountPaidCents: row.amount_paid_cents,
    refundedCents: row.refunded_cents,
  }
}

/** A payment of an invoice; instants as text. */
export interface PaymentRow {
  id: number
  amountCents: Cents
  method: StoredMethod
  receivedAt: string
  reference: string | null
  recordedBy: PersonRow | null
  receiptNumber: number | null
  reversedCents: Cents
  reversedAt: string | null
  reversedBy: PersonRow | null
  reversalReason: string | null
  reversalAskedAt: string | null
  createdAt: string
  updatedAt: string
}

/** A slice of a list and its order; newest first by default. */
export interface InvoicePage {
  now: Date
  limit?: number
  offset?: number
  sort?: Sort | undefined
}

const newestFirst = keyset('desc', ['i.created_at', 'i.id'])

/** Joins the payer. The planner drops the joins whose columns a query does not use. */
const payers = sql`left join membership m on m.organization_id = i.organization_id and m.id = i.membership_id
    left join guest g on g.organization_id = i.organization_id and g.id = i.guest_id`

/** Returns invoices with their lines and payer. */
export async function findInvoices(
  source: Source,
  organizationId: number,
  filter: InvoiceFilter,
  page: InvoicePage,
): Promise<InvoiceRow[]> {
  return readInvoices(source, await invoiceCondition(source, organizationId, filter, page.now), page)
}

/** Returns a page of invoices. A subquery selects the page first, so that lines and payers are read only for its rows. */
function readInvoices(source: Source, where: RawBuilder<unknown>, page: InvoicePage): Promise<Placed<InvoiceRow>[]> {
  const { now, limit, offset, sort } = page
  const by = sort && orderOf(invoiceSortKeys(now), sort)
  const order = by ? sql`${by}, ${newestFirst.order}` : newestFirst.order
  return readRows(
    source,
    sql<Placed<InvoiceRow>>`
    select i.id, i.created_at, i.updated_at, i.number, i.status, i.settlement, i.reservation_id, i.enrollment_id,
      i.membership_id, i.guest_id, i.raised_by, ${personJson('i.billed_for_id')} as billed_for, coalesce(m.search_name, g.name) as payer_name, coalesce(nullif(m.search_email, ''), g.email) as payer_email,
      coalesce(m.phone, g.phone) as payer_phone, i.memo, i.total_cents, i.tax_cents, i.taxes, i.credited_cents, i.amount_paid_cents, i.currency, i.due_at,
      i.paid_at, i.payment_method, i.refunded_cents, i.refunded_at, i.refund_waiting_at, i.voided_at, i.void_reason, i.pay_url, i.pdf_url, i.gateway_invoice_id, i.gateway_error,
      i.reminded_at, i.dispute_status, i.dispute_cents, i.dispute_due_at, ${overpaid} as overpaid_cents, ${newestFirst.position} as "cursorPosition",
      ${undeliveredJson('invoice_id', 'i')} as undelivered,
      coalesce((select json_agg(json_build_object('id', t.id, 'kind', t.kind, 'description', t.description,
          'quantityHundredths', t.quantity_hundredths, 'unit', t.unit, 'unitPrice', t.unit_price,
          'amountCents', t.amount_cents, 'taxCents', t.tax_cents, 'createdAt', t.created_at, 'updatedAt', t.updated_at) order by t.position)
        from invoice_item t where t.organization_id = i.organization_id and t.invoice_id = i.id), '[]') as items,
      coalesce((select json_agg(json_build_object('id', p.id, 'amountCents', p.amount_cents, 'method', p.method,
          'receivedAt', p.received_at, 'reference', p.reference, 'recordedBy', ${personJson('p.recorded_by')},
          'receiptNumber', (select n.number from receipt n where n.organization_id = p.organization_id and n.payment_id = p.id),
          'reversedCents', p.reversed_cents, 'reversedAt', p.reversed_at, 'reversedBy', ${personJson('p.reversed_by')}, 'reversalReason', p.reversal_reason,
          'reversalAskedAt', p.reversal_asked_at, 'createdAt', p.created_at, 'updatedAt', p.updated_at) order by p.id)
        from payment p where p.organization_id = i.organization_id and p.invoice_id = i.id), '[]') as payments
    from (
      select i.* from invoice i ${payers}
      where ${where}
      order by ${order}
      ${limit === undefined ? sql`` : pageLimit(limit, offset)}) i
    ${payers}
    order by ${order}`,
  )
}

/** Returns one invoice; null when the organization has none with this id. */
export async function findInvoice(
  source: Source,
  organizationId: number,
  id: number,
  now: Date,
): Promise<InvoiceRow | null> {
  const rows = await findInvoices(source, organizationId, { ids: [id] }, { now })
  return rows[0] ?? null
}

/**
 * Returns the invoices of a filter as a list source, newest first or sorted.
 * Implements interface §Invoices, GET /invoices.
 */
export function listInvoices(source: Source, organizationId: number, filter: InvoiceFilter, now: Date) {
  const condition = invoiceCondition(source, organizationId, filter, now)
  return {
    sortsBy: () => true,
    slice: async (offset: number, limit: number, sort?: Sort) =>
      readInvoices(source, await condition, { now, limit, offset, sort }),
    following: async (after: Position | null, limit: number) =>
      readInvoices(source, sql`${await condition} and ${newestFirst.after(after)}`, { now, limit }),
    count: async (most: number) =>
      countUpTo(source, sql`invoice i where ${await condition} order by ${newestFirst.order}`, most),
  }
}

/** Returns the lines of an invoice in their order. */
export function findItems(
  db: Db,
  { organizationId, id }: Pick<Invoice, 'organizationId' | 'id'>,
): Promise<(TaxedLine & { id: number })[]> {
  return db
    .selectFrom('invoice_item')
    .select(['id', 'kind', 'description', 'quantity_hundredths as quantityHundredths', 'unit'])
    .select(['unit_price as unitPrice', 'amount_cents as amountCents', 'tax_cents as taxCents'])
    .where('organization_id', '=', organizationId)
    .where('invoice_id', '=', id)
    .orderBy('position')
    .execute()
}

/** Returns when the payer of an invoice was asked to pay it, or last to pay more, by the events in the log; null: not yet. */
export async function findRaisedAt(
  db: Db,
  { organizationId, id }: Pick<Invoice, 'organizationId' | 'id'>,
): Promise<Date | null> {
  const { rows } = await sql<{ raised: Date | null; changed: Date | null }>`
    select min(at) filter (where kind = 'invoice.raised') as raised,
      max(at) filter (where kind = 'invoice.changed' and (after->>'totalCents')::int > (before->>'totalCents')::int) as changed
    from event where organization_id = ${organizationId} and subject_kind = 'invoice' and subject_id = ${id}
      and kind in ('invoice.raised', 'invoice.changed')`.execute(db)
  const { raised, changed } = rows[0]!
  return raised && changed && changed > raised ? changed : raised
}

/** Returns when the payer of an invoice was asked (`findRaisedAt`); null while the last mail about the invoice is given up. */
export async function findNotifiedAt(db: Db, invoice: Pick<Invoice, 'organizationId' | 'id'>): Promise<Date | null> {
  const givenUp = await db
    .selectFrom('undelivered_mail')
    .select('id')
    .where('organization_id', '=', invoice.organizationId)
    .where('invoice_id', '=', invoice.id)
    .executeTakeFirst()
  return givenUp ? null : findRaisedAt(db, invoice)
}

/** Returns whether a job that refunds the payments of an invoice is waiting. */
export async function hasRefundUnderWay(
  db: Db,
  { organizationId, id }: Pick<Invoice, 'organizationId' | 'id'>,
): Promise<boolean> {
  const { rows } = await sql`
    select from outbox where organization_id = ${organizationId} and job = ${refundAtGateway.name}
      and (payload ->> 'invoiceId')::int = ${id} and failed_at is null limit 1`.execute(db)
  return rows.length > 0
}
