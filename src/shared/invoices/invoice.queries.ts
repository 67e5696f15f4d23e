import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from '../db/read-rows.ts'
import type { invoiceStatuses, paymentMethods, settlements } from './invoice.entity.ts'

export interface InvoiceItemRow {
  id: number
  description: string
  quantityHundredths: number
  unit: string
  unitPrice: number
  amountCents: number
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
  payer_name: string
  payer_email: string | null
  payer_phone: string | null
  memo: string | null
  total_cents: number
  amount_paid_cents: number
  currency: string
  due_at: Date | null
  paid_at: Date | null
  payment_method: (typeof paymentMethods)[number] | null
  voided_at: Date | null
  pay_url: string | null
  pdf_url: string | null
  processor_invoice_id: string | null
  processor_error: string | null
  reminded_at: Date | null
  items: InvoiceItemRow[]
}

/** Which invoices of the organization: conditions that a list's query makes. */
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

/** Invoices that the processor refused were never raised: lists and totals leave them out. */
function conditions(organizationId: number, filter: InvoiceFilter, now: Date): RawBuilder<unknown> {
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
  if (filter.overdue !== undefined) {
    const overdue = sql`(i.status in ('pending', 'open') and i.due_at is not null and i.due_at < ${now})`
    all.push(filter.overdue ? overdue : sql`not ${overdue}`)
  }
  if (filter.q) {
    const like = `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`
    all.push(sql`(i.memo ilike ${like} or i.number::text = ${filter.q} or coalesce(a.name, g.name) ilike ${like}
      or coalesce(a.email, g.email) ilike ${like} or exists (select 1 from invoice_item t
        where t.organization_id = i.organization_id and t.invoice_id = i.id and t.description ilike ${like}))`)
  }
  return sql.join(all, sql` and `)
}

const payers = sql`
  left join membership m on m.organization_id = i.organization_id and m.id = i.membership_id
  left join account a on a.id = m.account_id
  left join guest g on g.organization_id = i.organization_id and g.id = i.guest_id`

/** Invoices with their lines, newest first. */
export function findInvoices(
  source: Source,
  organizationId: number,
  filter: InvoiceFilter,
  page: { now: Date; limit?: number; offset?: number },
): Promise<InvoiceRow[]> {
  return readRows(
    source,
    sql<InvoiceRow>`
    select i.id, i.created_at, i.updated_at, i.number, i.status, i.settlement, i.reservation_id, i.enrollment_id,
      i.membership_id, i.guest_id, coalesce(a.name, g.name) as payer_name, coalesce(a.email, g.email) as payer_email,
      coalesce(a.phone, g.phone) as payer_phone, i.memo, i.total_cents, i.amount_paid_cents, i.currency, i.due_at,
      i.paid_at, i.payment_method, i.voided_at, i.pay_url, i.pdf_url, i.processor_invoice_id, i.processor_error,
      i.reminded_at,
      coalesce((select json_agg(json_build_object('id', t.id, 'description', t.description,
          'quantityHundredths', t.quantity_hundredths, 'unit', t.unit, 'unitPrice', t.unit_price,
          'amountCents', t.amount_cents) order by t.position)
        from invoice_item t where t.organization_id = i.organization_id and t.invoice_id = i.id), '[]') as items
    from invoice i ${payers}
    where ${conditions(organizationId, filter, page.now)}
    order by i.created_at desc, i.id desc
    ${page.limit === undefined ? sql`` : sql`limit ${page.limit}`}
    ${page.offset === undefined ? sql`` : sql`offset ${page.offset}`}`,
  )
}

/** One invoice; null when the organization has none with this id. */
export async function findInvoice(
  source: Source,
  organizationId: number,
  id: number,
  now: Date,
): Promise<InvoiceRow | null> {
  const rows = await findInvoices(source, organizationId, { ids: [id] }, { now })
  return rows[0] ?? null
}

/** Revenue and what is outstanding, in cents, with counts. `overdue` is a part of `outstanding`. */
export interface InvoiceSummary {
  revenueCents: number
  outstandingCents: number
  overdueCents: number
  paidCount: number
  outstandingCount: number
  overdueCount: number
  voidedCount: number
  total: number
}

/** The totals over the invoices that a filter selects. */
export async function summarizeInvoices(
  source: Source,
  organizationId: number,
  filter: InvoiceFilter,
  now: Date,
): Promise<InvoiceSummary> {
  const owed = sql`i.status in ('pending', 'open')`
  const overdue = sql`(${owed} and i.due_at is not null and i.due_at < ${now})`
  const cents = (amount: RawBuilder<unknown>, of: RawBuilder<unknown>) =>
    sql`coalesce(sum(${amount}) filter (where ${of}), 0)`
  const rows = await readRows(
    source,
    sql<InvoiceSummary>`
    select ${cents(sql`i.amount_paid_cents`, sql`i.status = 'paid'`)} as "revenueCents",
      ${cents(sql`i.total_cents - i.amount_paid_cents`, owed)} as "outstandingCents",
      ${cents(sql`i.total_cents - i.amount_paid_cents`, overdue)} as "overdueCents",
      count(*) filter (where i.status = 'paid')::int as "paidCount",
      count(*) filter (where ${owed})::int as "outstandingCount",
      count(*) filter (where ${overdue})::int as "overdueCount",
      count(*) filter (where i.status = 'void')::int as "voidedCount",
      count(*)::int as total
    from invoice i ${filter.q ? payers : sql``}
    where ${conditions(organizationId, filter, now)}`,
  )
  return rows[0]!
}
