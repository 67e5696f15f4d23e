import { defineEntity, p } from '@mikro-orm/core'
import { instant, record, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents, Hundredths } from '../../platform/kernel/units.ts'

// Kysely writes these tables; the ORM only declares their columns.

/** A line of an invoice: `quantityHundredths` of `unit` at `unitPrice` cents. `amountCents` is binding. */
export const InvoiceItem = defineEntity({
  name: 'InvoiceItem',
  tableName: 'invoice_item',
  properties: {
    ...tenantRecord,
    invoiceId: p.integer(),
    position: p.smallint(),
    kind: p.text(),
    description: p.text(),
    quantityHundredths: p.integer().$type<Hundredths>(),
    unit: p.text(),
    unitPrice: p.integer().$type<Cents>(),
    amountCents: p.integer().$type<Cents>(),
    /** Not included in the amount. */
    taxCents: p.integer().$type<Cents>().default(0),
  },
})

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

/** A webhook event of the payment gateway. Its id is stored before it takes effect, so each event acts once. */
export const GatewayEvent = defineEntity({
  name: 'GatewayEvent',
  tableName: 'processor_event',
  properties: {
    ...record,
    eventId: p.text(),
    type: p.text(),
    occurredAt: instant(),
    /** No webhook brought it: it was found in the gateway's list. */
    lookedUp: p.boolean().default(false),
  },
})

/** Up to when the events of an account at the payment gateway were read. The service's own belongs to no organization. */
export const GatewayLook = defineEntity({
  name: 'GatewayLook',
  tableName: 'processor_look',
  properties: {
    ...record,
    organizationId: p.integer().nullable(),
    account: p.text().nullable(),
    /** When a job was last asked to read them. */
    askedAt: instant().nullable(),
    /** Events that are older are stored; null before the first look. */
    readUntil: instant().nullable(),
  },
})
