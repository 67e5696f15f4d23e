import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from '../db/read-rows.ts'
import type { paymentMethods, settlements } from './invoice.entity.ts'
import type { invoiceStatuses } from './invoice.states.ts'
import { type InvoiceFilter, invoiceCondition } from './invoice-filter.ts'

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
  refunded_cents: number
  voided_at: Date | null
  pay_url: string | null
  pdf_url: string | null
  processor_invoice_id: string | null
  processor_error: string | null
  reminded_at: Date | null
  items: InvoiceItemRow[]
}

/** The answered fields that the database itself can sort a list by. */
const sortable = {
  id: 'id',
  number: 'number',
  totalCents: 'total_cents',
  amountPaidCents: 'amount_paid_cents',
  dueAt: 'due_at',
  paidAt: 'paid_at',
  voidedAt: 'voided_at',
  remindedAt: 'reminded_at',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const

export type SortableField = keyof typeof sortable

/** Whether a list can be sorted by this path in the database, however long it is. */
export function isSortable(path: string | undefined): path is SortableField {
  return path !== undefined && Object.hasOwn(sortable, path)
}

/** Which part of a list, in which order: newest first, or by a field with empty values last. */
export interface InvoicePage {
  now: Date
  limit?: number
  offset?: number
  sort?: { by: SortableField; order: 'asc' | 'desc' }
  /** Only what comes after this one, newest first. */
  after?: { createdAt: Date; id: number }
}

const newestFirst = sql`i.created_at desc, i.id desc`

/** Invoices with their lines and payer. The page is cut before anything is joined to it. */
export function findInvoices(
  source: Source,
  organizationId: number,
  filter: InvoiceFilter,
  page: InvoicePage,
): Promise<InvoiceRow[]> {
  const { now, limit, offset, sort, after } = page
  const field = sort && sql.ref(`i.${sortable[sort.by]}`)
  const direction = sort?.order === 'desc' ? sql`desc` : sql`asc`
  const order = field ? sql`${field} ${direction} nulls last, ${newestFirst}` : newestFirst
  return readRows(
    source,
    sql<InvoiceRow>`
    select i.id, i.created_at, i.updated_at, i.number, i.status, i.settlement, i.reservation_id, i.enrollment_id,
      i.membership_id, i.guest_id, coalesce(a.name, g.name) as payer_name, coalesce(a.email, g.email) as payer_email,
      coalesce(a.phone, g.phone) as payer_phone, i.memo, i.total_cents, i.amount_paid_cents, i.currency, i.due_at,
      i.paid_at, i.payment_method, i.refunded_cents, i.voided_at, i.pay_url, i.pdf_url, i.processor_invoice_id, i.processor_error,
      i.reminded_at,
      coalesce((select json_agg(json_build_object('id', t.id, 'description', t.description,
          'quantityHundredths', t.quantity_hundredths, 'unit', t.unit, 'unitPrice', t.unit_price,
          'amountCents', t.amount_cents) order by t.position)
        from invoice_item t where t.organization_id = i.organization_id and t.invoice_id = i.id), '[]') as items
    from (
      select i.* from invoice i
      where ${invoiceCondition(organizationId, filter, now)}
        ${after === undefined ? sql`` : sql`and (i.created_at, i.id) < (${after.createdAt}, ${after.id})`}
      order by ${order}
      ${limit === undefined ? sql`` : sql`limit ${limit}`}
      ${offset === undefined ? sql`` : sql`offset ${offset}`}) i
    left join membership m on m.organization_id = i.organization_id and m.id = i.membership_id
    left join account a on a.id = m.account_id
    left join guest g on g.organization_id = i.organization_id and g.id = i.guest_id
    order by ${order}`,
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

/**
 * The invoices of a filter as the source of a list, newest first. Slices that follow each other go on from the last
 * row, so that a list read to its end is read once.
 */
export function listInvoices(source: Source, organizationId: number, filter: InvoiceFilter, now: Date) {
  let next: { offset: number; after: { createdAt: Date; id: number } } | null = null
  return {
    async slice(offset: number, limit: number): Promise<InvoiceRow[]> {
      const from = next?.offset === offset ? { after: next.after } : { offset }
      const rows = await findInvoices(source, organizationId, filter, { now, limit, ...from })
      const last = rows.at(-1)
      next = last ? { offset: offset + rows.length, after: { createdAt: last.created_at, id: last.id } } : null
      return rows
    },
    count: () => countInvoices(source, organizationId, filter, now),
  }
}

/** How many invoices a filter selects. */
export async function countInvoices(
  source: Source,
  organizationId: number,
  filter: InvoiceFilter,
  now: Date,
): Promise<number> {
  const where: RawBuilder<unknown> = invoiceCondition(organizationId, filter, now)
  const rows = await readRows(
    source,
    sql<{ count: number }>`select count(*)::int as count from invoice i where ${where}`,
  )
  return rows[0]?.count ?? 0
}
