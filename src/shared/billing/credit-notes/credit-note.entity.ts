import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { type CreditedItem, refundStatuses, refundWays } from './credit.rules.ts'

/** An amount that a school takes off an invoice, in cents, with a number of its own series. */
export const CreditNote = defineEntity({
  name: 'CreditNote',
  tableName: 'credit_note',
  properties: {
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
    createdBy: p.integer().nullable(),
    /**
     * Who asks for a refund later, and since when; null for one that was asked for with the note. One that the gateway made by itself
     * has a time alone.
     */
    refundBy: p.integer().nullable(),
    refundAskedAt: instant().nullable(),
    /** When a second admin approved the refund; null when nobody had to. */
    refundApprovedAt: instant().nullable(),
  },
})
export type CreditNote = InferEntity<typeof CreditNote>
