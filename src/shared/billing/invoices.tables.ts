import { type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents, Hundredths } from '../platform/kernel/units.ts'
import { chargeStates } from './autopay/autopay.states.ts'
import { type CreditedItem, refundStatuses, refundWays } from './credit-notes/credit.rules.ts'
import type { TaxTotal } from './flight-bill/flight-bill.types.ts'
import { invoiceStatuses, settlements } from './invoices/invoice.states.ts'
import { storedMethods } from './payments/payment.rules.ts'

/** An open dispute changes no amounts; a lost dispute reverses the payment. */
export const disputeStatuses = ['open', 'won', 'lost'] as const

export const paymentMethods = ['cash', 'check', 'card', 'ledger', 'package', 'other'] as const

/**
 * A bill to one payer; money in cents. `pending` until the payment gateway accepts it. Unique indexes allow one standing invoice
 * (`invoice_stands`: not void, failed or credited in full) per flight and person whose share it is, and one per enrollment.
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
    /** The member whose share it charges, when a bill-to payer pays it; null when the payer pays for themself. */
    billedForId: member.money('invoices').nullable(),
    memo: p.text().nullable(),
    /** Text for free-text search: memo and lines. The database maintains it, and lowers what a new invoice has. */
    search: p.text().default('').lazy(),
    /** The amount with taxes. */
    totalCents: p.integer().$type<Cents>(),
    taxCents: p.integer().$type<Cents>().default(0),
    /** The taxes per rate, at the rates of the time when the lines were written. */
    taxes: p.json<TaxTotal[]>().default([]),
    /** The sum of the credit notes. */
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
    /** Since when its refund waits for the decision of an admin; null when no refund waits. */
    refundWaitingAt: instant().nullable(),
    refundedAt: instant().nullable(),
    /** The refunded amount. It includes refunds of credit notes that are not completed yet. */
    refundedCents: p.integer().$type<Cents>().default(0),
    /** The part of `refundedCents` that went back through the payment gateway. */
    gatewayRefundedCents: p.integer().$type<Cents>().default(0),
    /** The part of `gatewayRefundedCents` that was refunded at the gateway itself, for example in its dashboard. */
    outsideRefundedCents: p.integer().$type<Cents>().default(0),
    /** The part of `amountPaidCents` that payments from the payer's account brought. */
    ledgerPaidCents: p.integer().$type<Cents>().default(0),
    /** The part of `refundedCents` that went back to the payer's account. */
    ledgerRefundedCents: p.integer().$type<Cents>().default(0),
    /** Who raised it; null for the service. */
    raisedBy: member.act('invoices', 'money').nullable(),
    /** From when on the payer's account may pay it without an act of the payer; null: not yet. `autoLedger`: the account pays by itself. */
    ledgerFrom: instant().nullable(),
    autoLedger: p.boolean().default(false),
    /** The status of the payer's latest dispute at the payment gateway. */
    disputeStatus: p.enum(disputeStatuses).nullable(),
    disputeCents: p.integer().$type<Cents>().nullable(),
    /** The deadline for the school's evidence; null when the payer's bank accepts none. */
    disputeDueAt: instant().nullable(),
    /** When the dispute was first known here. */
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
    /** The stage of the last scheduled reminder, in days overdue; 0 before the first reminder. */
    reminderStage: p.smallint().default(0),
  },
})
export type Invoice = InferEntity<typeof Invoice>

/** An invoice line: hundredths of `unit` at a price in cents per unit. `amountCents` is charged, also when it differs from the product. */
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
    /** The taxes, not included in the amount. */
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

/** How money reached the school. `processor`: through the payment gateway. `offline`: in any other way. */
export const paymentWays = ['processor', 'offline'] as const

/** A payment of an invoice, in cents: of its whole amount or a part. The reversed part of a payment does not count. */
export const Payment = aggregate('payment', {
  exported: { without: ['refundKey'] },
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    invoiceId: p.integer(),
    way: p.enum(paymentWays),
    method: p.enum(storedMethods),
    amountCents: p.integer().$type<Cents>(),
    /** The reversed part: all of a bounced check, or the amount of a lost dispute. */
    reversedCents: p.integer().$type<Cents>().default(0),
    /** The part that was refunded by hand or to the payer's account; a constraint limits it to the amount that is not reversed. */
    refundedCents: p.integer().$type<Cents>().default(0),
    receivedAt: instant(),
    reference: p.text().nullable(),
    /** The entry of the payer's account that paid; null for every other method than `ledger`. */
    ledgerEntryId: p.integer().nullable(),
    /** The id of the gateway invoice on which the payment was made. */
    gatewayInvoiceId: p.text().nullable(),
    /** The gateway's id of the payment; null for an offline payment, or when the gateway only reported that its invoice was paid. */
    gatewayPayment: p.text().nullable(),
    /** The part above the amount due, which a job refunds. */
    overpaidCents: p.integer().$type<Cents>().default(0),
    overpaidReturnedAt: instant().nullable(),
    /** The key of the refund of `overpaidCents` at the payment gateway. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    recordedBy: member.act('invoices', 'money').nullable(),
    reversedAt: instant().nullable(),
    reversedBy: member.act('invoices', 'money').nullable(),
    reversalReason: p.text().nullable(),
    /** A reversal that a cashier asked for and that waits for an admin: since when, by whom and why. */
    reversalAskedAt: instant().nullable(),
    reversalAskedBy: member.act('invoices', 'money').nullable(),
    reversalAskedReason: p.text().nullable(),
  },
})
export type Payment = InferEntity<typeof Payment>

/** A reduction of an invoice, in cents. Credit notes are numbered in a series of their own. */
export const CreditNote = aggregate('credit_note', {
  exported: { without: ['refundKey'] },
  rights: 'no delete',
  columns: {
    ...tenantRecord,
    invoiceId: p.integer(),
    number: p.integer(),
    /** The credited lines; empty when the amount concerns the invoice as a whole. */
    items: p.json<CreditedItem[]>(),
    amountCents: p.integer().$type<Cents>(),
    /** The tax within the amount. */
    taxCents: p.integer().$type<Cents>().default(0),
    reason: p.text(),
    refund: p.enum(refundWays),
    refundStatus: p.enum(refundStatuses),
    /** The amount to be refunded. */
    refundCents: p.integer().$type<Cents>(),
    /** The amount that was refunded. */
    refundedCents: p.integer().$type<Cents>().default(0),
    /** When `refundedCents` was refunded; null before, and when nothing was refunded. */
    refundedAt: instant().nullable(),
    /** The key of its refund at the payment gateway; each attempt has a new key. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    createdBy: member.act('invoices', 'money').nullable(),
    /**
     * Who requested the refund after the note was issued, and when (`refundAskedAt`). Both are null for a refund that was requested
     * with the note. A refund that the gateway made by itself has only the time.
     */
    refundBy: member.act('invoices', 'money').nullable(),
    refundAskedAt: instant().nullable(),
    /** When a second admin approved the refund; null before, and when no approval was needed. */
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
    /** The earliest instant of the charge; null until the payer is notified. */
    notBefore: instant().nullable(),
    /** How many attempts have begun. */
    attempts: p.integer().default(0),
    /** The amount that counts towards the member's limit of the day `countedOn`. */
    amountCents: p.integer().$type<Cents>().nullable(),
    countedOn: p.date().nullable(),
    firstDeclinedAt: instant().nullable(),
  },
})
