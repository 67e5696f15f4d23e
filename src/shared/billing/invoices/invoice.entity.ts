import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, record, tenantRecord } from '../../platform/db/columns.ts'
import { invoiceStatuses } from './invoice.states.ts'

export const settlements = ['processor', 'ledger', 'offline'] as const
export const paymentMethods = ['cash', 'check', 'card', 'ledger', 'other'] as const

/**
 * A bill to one payer; money in cents. `pending` until the payment gateway accepts it. A unique index allows one live
 * invoice per flight, payer and purpose.
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
    /** Text for free-text search; the database maintains it. */
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
    /** Its keys at the payment gateway: one random key per revision, oldest first. */
    processorKeys: p.array().defaultRaw("array['inv_' || gen_random_uuid()]"),
    /** The key of its refund at the payment gateway. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    /** How many times its lines were replaced; each revision is a new gateway invoice under a new key. */
    revision: p.integer().default(0),
    /** When it was last compared with the gateway's invoice. */
    checkedAt: instant().nullable(),
    remindedAt: instant().nullable(),
    /** The overdue stage in days of the last scheduled reminder; 0 before the first. */
    reminderStage: p.smallint().default(0),
    items: () => p.oneToMany(InvoiceItem).mappedBy('invoice').orderBy({ id: 'asc' }),
  },
})
export type Invoice = InferEntity<typeof Invoice>

/** A line of an invoice: `quantityHundredths` of `unit` at `unitPrice` cents. `amountCents` is binding. */
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

/** A payer's customer id at the payment gateway: one per payer, organization and gateway account. */
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

/** A webhook event of the payment gateway. Its id is stored before it takes effect, so each event acts once. */
export const GatewayEvent = defineEntity({
  name: 'GatewayEvent',
  tableName: 'processor_event',
  properties: { ...record, eventId: p.text(), type: p.text(), occurredAt: instant() },
})
export type GatewayEvent = InferEntity<typeof GatewayEvent>
