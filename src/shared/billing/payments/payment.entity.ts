import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { outsideMethods } from './payment.rules.ts'

/** How money reached the school: through the payment gateway, or past it. */
export const paymentWays = ['processor', 'offline'] as const

/** Money that came in for an invoice, in cents: all of it, or a part. A reversed one counts nothing. */
export const Payment = defineEntity({
  name: 'Payment',
  tableName: 'payment',
  properties: {
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
    processorInvoiceId: p.text().nullable(),
    /** The gateway's id of the payment; null for one that the gateway reported with its invoice. */
    processorPayment: p.text().nullable(),
    /** What of it came in above what was due, and goes back by a job. */
    overpaidCents: p.integer().$type<Cents>().default(0),
    overpaidReturnedAt: instant().nullable(),
    /** The key at the payment gateway of the refund of `overpaidCents`. */
    refundKey: p.text().defaultRaw("'ref_' || gen_random_uuid()"),
    recordedBy: p.integer().nullable(),
    reversedAt: instant().nullable(),
    reversedBy: p.integer().nullable(),
    reversalReason: p.text().nullable(),
  },
})
export type Payment = InferEntity<typeof Payment>
