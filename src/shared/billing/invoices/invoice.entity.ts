import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { TaxTotal } from '../flight-bill/flight-bill.types.ts'
import { invoiceStatuses, settlements } from './invoice.states.ts'

/** A dispute that is open changes no figure; a lost one takes the payment back. */
export const disputeStatuses = ['open', 'won', 'lost'] as const

export const paymentMethods = ['cash', 'check', 'card', 'ledger', 'package', 'other'] as const

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
    /** With taxes. */
    totalCents: p.integer().$type<Cents>(),
    taxCents: p.integer().$type<Cents>().default(0),
    /** By rate, as they were when the lines were written. */
    taxes: p.json<TaxTotal[]>().default([]),
    /** What credit notes take off the total. */
    creditedCents: p.integer().$type<Cents>().default(0),
    amountPaidCents: p.integer().$type<Cents>().default(0),
    /** The part of `amountPaidCents` that came through the payment gateway. */
    processorPaidCents: p.integer().$type<Cents>().default(0),
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
    processorRefundedCents: p.integer().$type<Cents>().default(0),
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
    /** How often its payer was reminded. */
    reminders: p.smallint().default(0),
    /** The overdue stage in days of the last scheduled reminder; 0 before the first. */
    reminderStage: p.smallint().default(0),
  },
})
export type Invoice = InferEntity<typeof Invoice>
