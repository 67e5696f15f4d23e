import { z } from 'zod'
import { controlKeys } from '../../platform/authz/loosened.rules.ts'
import { defineJob } from '../../platform/contracts/define-job.ts'
import { inCents } from '../../platform/kernel/units.ts'

/** The acts by which an admin moves money in their own favour, and `control`: a setting that protects money becomes less strict. */
export const ownMoney = [
  'payment',
  'credit',
  'refund',
  'own_refund',
  'refund_approved',
  'void',
  'lowered',
  'prepaid',
  'package',
  'waived',
  'readings',
  'entry',
  'pay_rates',
  'pay_run',
  'tax_exempt',
  'billing_mode',
  'rates',
  'control',
] as const
export type OwnMoney = (typeof ownMoney)[number]

/** Mails an owner about one of the acts in `ownMoney`. `by`: the admin who did it. */
export const mailOwnMoney = defineJob({
  name: 'ledger.mail-own-money',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    orgUserId: z.int(),
    by: z.int(),
    what: z.enum(ownMoney),
    /** Null for an act that has no amount. */
    amountCents: inCents(z.int()).nullable(),
    currency: z.string(),
    /** The setting that becomes less strict, and from when on. */
    control: z.object({ key: z.enum(controlKeys), from: z.iso.datetime() }).optional(),
  }),
})

/**
 * Mails about a payment or deposit that a cashier took, or about its reversal: the payer, or the owner `orgUserId` when it
 * is not null.
 */
export const mailReceipt = defineJob({
  name: 'ledger.mail-receipt',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    receiptId: z.int(),
    about: z.enum(['taken', 'reversed']),
    orgUserId: z.int().nullable(),
  }),
})
