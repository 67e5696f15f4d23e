import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, record, tenantRecord } from '../../platform/db/columns.ts'
import { invoiceStatuses } from './invoice.states.ts'

export const settlements = ['processor', 'ledger', 'offline'] as const
export const paymentMethods = ['cash', 'check', 'card', 'ledger', 'other'] as const

/**
 * What one payer owes. `pending` until the processor has it. A flight has at most one standing invoice per payer
 * and purpose (unique index), however often it is asked for. Money is cents.
 */
export const Invoice = defineEntity({
  name: 'Invoice',
  tableName: 'invoice',
  properties: {
    ...tenantRecord,
    number: p.integer().nullable(),
    status: p.enum(invoiceStatuses).default('pending'),
    settlement: p.enum(settlements).default('processor'),
    reservationId: p.integer().nullable(),
    enrollmentId: p.integer().nullable(),
    membershipId: p.integer().nullable(),
    guestId: p.integer().nullable(),
    memo: p.text().nullable(),
    /** What free text finds it by; the database keeps it. */
    search: p.text().default('').lazy(),
    totalCents: p.integer(),
    amountPaidCents: p.integer().default(0),
    currency: p.text(),
    dueAt: instant().nullable(),
    paidAt: instant().nullable(),
    paymentMethod: p.enum(paymentMethods).nullable(),
    voidedAt: instant().nullable(),
    voidReason: p.text().nullable(),
    refundedAt: instant().nullable(),
    refundedCents: p.integer().default(0),
    payUrl: p.text().nullable(),
    pdfUrl: p.text().nullable(),
    processorAccount: p.text().nullable(),
    processorInvoiceId: p.text().nullable(),
    processorError: p.text().nullable(),
    /** What the processor knows it by: a random key for each revision, oldest first. */
    processorKeys: p.array().defaultRaw("array['inv_' || gen_random_uuid()]"),
    /** What the processor knows the refund of it by. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    /** How often its lines were replaced; each time the processor gets another invoice, under another key. */
    revision: p.integer().default(0),
    /** When it was last compared with the processor's. */
    checkedAt: instant().nullable(),
    remindedAt: instant().nullable(),
    /** The days overdue at which it was last reminded of by itself; 0 when it was not yet. */
    reminderStage: p.smallint().default(0),
    items: () => p.oneToMany(InvoiceItem).mappedBy('invoice').orderBy({ id: 'asc' }),
  },
})
export type Invoice = InferEntity<typeof Invoice>

/** A line of an invoice. `quantityHundredths` of `unit` at `unitPrice` cents; `amountCents` is what counts. */
export const InvoiceItem = defineEntity({
  name: 'InvoiceItem',
  tableName: 'invoice_item',
  properties: {
    ...tenantRecord,
    invoice: () => p.manyToOne(Invoice).ref(),
    position: p.smallint(),
    kind: p.text(),
    description: p.text(),
    quantityHundredths: p.integer(),
    unit: p.text(),
    unitPrice: p.integer(),
    amountCents: p.integer(),
  },
})
export type InvoiceItem = InferEntity<typeof InvoiceItem>

/** A payer as the processor knows them: one customer per payer, organization and processor account. */
export const GatewayCustomer = defineEntity({
  name: 'GatewayCustomer',
  tableName: 'processor_customer',
  properties: {
    ...tenantRecord,
    membershipId: p.integer().nullable(),
    guestId: p.integer().nullable(),
    processorAccount: p.text().nullable(),
    customerId: p.text(),
  },
})
export type GatewayCustomer = InferEntity<typeof GatewayCustomer>

/** An event that the processor sent; its id is stored before it acts, so each acts once. */
export const GatewayEvent = defineEntity({
  name: 'GatewayEvent',
  tableName: 'processor_event',
  properties: { ...record, eventId: p.text(), type: p.text(), occurredAt: instant() },
})
export type GatewayEvent = InferEntity<typeof GatewayEvent>
