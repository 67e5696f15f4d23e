import { type InferEntity, p } from '@mikro-orm/core'
import { instant, record, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Hundredths } from '../platform/kernel/units.ts'
import { chargeStates } from './autopay/autopay.states.ts'
import { type CreditedItem, refundStatuses, refundWays } from './credit-notes/credit.rules.ts'
import type { TaxTotal } from './flight-bill/flight-bill.types.ts'
import { invoiceStatuses, settlements } from './invoices/invoice.states.ts'
import { outsideMethods } from './payments/payment.rules.ts'

/** A dispute that is open changes no figure; a lost one takes the payment back. */
export const disputeStatuses = ['open', 'won', 'lost'] as const

export const paymentMethods = ['cash', 'check', 'card', 'ledger', 'package', 'other'] as const

/**
 * A bill to one payer; money in cents. `pending` until the payment gateway accepts it. A unique index allows one live
 * invoice per flight, payer and purpose.
 */
export const Invoice = aggregate('invoice', {
  exported: { without: ['payUrl', 'pdfUrl', 'gatewayKeys', 'refundKey', 'search'] },
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    number: p.integer().nullable(),
    status: p.enum(invoiceStatuses).default('pending'),
    settlement: p.enum(settlements).default('processor'),
    reservationId: p.integer().nullable(),
    enrollmentId: p.integer().nullable(),
    membershipId: member.money('invoices').nullable(),
    guestId: p.integer().nullable(),
    memo: p.text().nullable(),
    /** Text for free-text search; the database maintains it. */
    search: p.text().default('').lazy(),
    /** With taxes. */
    totalCents: p.integer().$type<Cents>(),
    taxCents: p.integer().$type<Cents>().default(0),
    /** By rate, as they were when the lines were written. */
    taxes: p.json<TaxTotal[]>().default([]),
    /** What credit notes take off the total. */
    creditedCents: p.integer().$type<Cents>().default(0),
    amountPaidCents: p.integer().$type<Cents>().default(0),
    /** The part of `amountPaidCents` that came through the payment gateway. */
    gatewayPaidCents: p.integer().$type<Cents>().default(0),
    currency: p.text(),
    dueAt: instant().nullable(),
    paidAt: instant().nullable(),
    paymentMethod: p.enum(paymentMethods).nullable(),
    voidedAt: instant().nullable(),
    voidReason: p.text().nullable(),
    /** Since when its refund waits for an admin; null when none does. */
    refundWaitingAt: instant().nullable(),
    refundedAt: instant().nullable(),
    /** With the refunds of credit notes that are under way. */
    refundedCents: p.integer().$type<Cents>().default(0),
    /** The part of `refundedCents` that went back through the payment gateway. */
    gatewayRefundedCents: p.integer().$type<Cents>().default(0),
    /** The part of that which the gateway gave back on its own, as from its dashboard. */
    outsideRefundedCents: p.integer().$type<Cents>().default(0),
    /** The payer's latest dispute at the payment gateway. */
    disputeStatus: p.enum(disputeStatuses).nullable(),
    disputeCents: p.integer().$type<Cents>().nullable(),
    /** The last instant for the school's evidence; null when the payer's bank takes none. */
    disputeDueAt: instant().nullable(),
    /** Since when: it is first known. */
    disputedAt: instant().nullable(),
    payUrl: p.text().nullable(),
    pdfUrl: p.text().nullable(),
    gatewayAccount: p.text().nullable(),
    gatewayInvoiceId: p.text().nullable(),
    gatewayError: p.text().nullable(),
    /** Its keys at the payment gateway: one random key per revision, oldest first. */
    gatewayKeys: p.array().defaultRaw("array['inv_' || gen_random_uuid()]"),
    /** The key of its refund at the payment gateway. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    /** How many times its lines were replaced; each revision is a new gateway invoice under a new key. */
    revision: p.integer().default(0),
    /** When it was last compared with the gateway's invoice. */
    checkedAt: instant().nullable(),
    remindedAt: instant().nullable(),
    /** How often its payer was reminded. */
    reminders: p.smallint().default(0),
    /** The overdue stage in days of the last scheduled reminder; 0 before the first. */
    reminderStage: p.smallint().default(0),
  },
})
export type Invoice = InferEntity<typeof Invoice>

/** A line of an invoice: `quantityHundredths` of `unit` at `unitPrice` cents. `amountCents` is binding. */
export const InvoiceItem = set('invoice_item', {
  exported: true,
  columns: {
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
export const GatewayCustomer = set('gateway_customer', {
  exported: false,
  columns: {
    ...tenantRecord,
    membershipId: member.own('settings').nullable(),
    guestId: p.integer().nullable(),
    gatewayAccount: p.text().nullable(),
    customerId: p.text(),
  },
})

/** A webhook event of the payment gateway. Its id is stored before it takes effect, so each event acts once. */
export const GatewayEvent = log('gateway_event', {
  rights: 'insert only',
  /** It must not count twice; the gateway repeats events for 30 days. */
  kept: { days: 400, purge: 'purge_gateway_events' },
  columns: {
    ...record,
    eventId: p.text(),
    type: p.text(),
    occurredAt: instant(),
    /** No webhook brought it: it was found in the gateway's list. */
    lookedUp: p.boolean().default(false),
  },
})

/** Up to when the events of an account at the payment gateway were read. The service's own belongs to no organization. */
export const GatewayEventSweep = log('gateway_event_sweep', {
  exported: false,
  columns: {
    ...record,
    organizationId: p.integer().nullable(),
    account: p.text().nullable(),
    /** When a job was last asked to read them. */
    askedAt: instant().nullable(),
    /** Events that are older are stored; null before the first look. */
    readUntil: instant().nullable(),
  },
})

/** How money reached the school: through the payment gateway, or past it. */
export const paymentWays = ['processor', 'offline'] as const

/** Money that came in for an invoice, in cents: all of it, or a part. A reversed one counts nothing. */
export const Payment = aggregate('payment', {
  exported: { without: ['refundKey'] },
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    invoiceId: p.integer(),
    way: p.enum(paymentWays),
    method: p.enum(outsideMethods),
    amountCents: p.integer().$type<Cents>(),
    /** What was taken back: all of a bounced check, or what a lost dispute took. */
    reversedCents: p.integer().$type<Cents>().default(0),
    /** What of it was given back past the gateway, by hand or to the account; a constraint keeps it within the rest. */
    refundedCents: p.integer().$type<Cents>().default(0),
    receivedAt: instant(),
    reference: p.text().nullable(),
    /** The gateway's invoice that it paid. */
    gatewayInvoiceId: p.text().nullable(),
    /** The gateway's id of the payment; null for one that the gateway reported with its invoice. */
    gatewayPayment: p.text().nullable(),
    /** What of it came in above what was due, and goes back by a job. */
    overpaidCents: p.integer().$type<Cents>().default(0),
    overpaidReturnedAt: instant().nullable(),
    /** The key at the payment gateway of the refund of `overpaidCents`. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    recordedBy: member.act('invoices', 'money').nullable(),
    reversedAt: instant().nullable(),
    reversedBy: member.act('invoices', 'money').nullable(),
    reversalReason: p.text().nullable(),
  },
})
export type Payment = InferEntity<typeof Payment>

/** An amount that a school takes off an invoice, in cents, with a number of its own series. */
export const CreditNote = aggregate('credit_note', {
  exported: { without: ['refundKey'] },
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    invoiceId: p.integer(),
    number: p.integer(),
    /** Empty when the amount concerns the invoice as a whole. */
    items: p.json<CreditedItem[]>(),
    amountCents: p.integer().$type<Cents>(),
    /** The tax within the amount. */
    taxCents: p.integer().$type<Cents>().default(0),
    reason: p.text(),
    refund: p.enum(refundWays),
    refundStatus: p.enum(refundStatuses),
    /** What is to be given back. */
    refundCents: p.integer().$type<Cents>(),
    /** What was given back. */
    refundedCents: p.integer().$type<Cents>().default(0),
    /** When that went back; null before, and when nothing did. */
    refundedAt: instant().nullable(),
    /** The key of its refund at the payment gateway: another one for each attempt. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    createdBy: member.act('invoices', 'money').nullable(),
    /**
     * Who asks for a refund later, and since when; null for one that was asked for with the note. One that the gateway made by itself
     * has a time alone.
     */
    refundBy: member.act('invoices', 'money').nullable(),
    refundAskedAt: instant().nullable(),
    /** When a second admin approved the refund; null when nobody had to. */
    refundApprovedAt: instant().nullable(),
  },
})
export type CreditNote = InferEntity<typeof CreditNote>

/** The automatic charge of an invoice to its payer's card. */
export const AutopayCharge = set('autopay_charge', {
  exported: true,
  columns: {
    ...tenantRecord,
    invoiceId: p.integer(),
    membershipId: member.money('invoices'),
    state: p.enum(chargeStates).default('planned'),
    /** Null until the payer was told. */
    notBefore: instant().nullable(),
    /** How many attempts have begun. */
    attempts: p.integer().default(0),
    /** What counts against the member's limit of the day `countedOn`. */
    amountCents: p.integer().$type<Cents>().nullable(),
    countedOn: p.date().nullable(),
    firstDeclinedAt: instant().nullable(),
  },
})
