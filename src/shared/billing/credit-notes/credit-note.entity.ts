import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { type CreditedItem, refundWays } from './credit.rules.ts'

/**
 * `none`: nothing is given back. `waiting`: a second admin has yet to approve it. `pending`: a job gives it back through the
 * payment gateway.
 */
export const refundStatuses = ['none', 'waiting', 'pending', 'succeeded', 'failed'] as const

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
    /** The key of its refund at the payment gateway. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    createdBy: p.integer().nullable(),
  },
})
export type CreditNote = InferEntity<typeof CreditNote>
