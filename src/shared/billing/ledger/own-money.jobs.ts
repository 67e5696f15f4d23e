import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'
import { inCents } from '../../platform/kernel/units.ts'

/** What an admin did with money of their own. */
export const ownMoney = ['payment', 'credit', 'refund', 'own_refund', 'entry', 'pay_rates', 'pay_run'] as const
export type OwnMoney = (typeof ownMoney)[number]

/** Mails an owner that an admin moved money in their own favour. */
export const ownMoneyMail = defineJob({
  name: 'ledger.tell-own-money',
  queue: 'email',
  payload: z.object({
    organizationId: z.int(),
    orgUserId: z.int(),
    by: z.int(),
    what: z.enum(ownMoney),
    amountCents: inCents(z.int()),
    currency: z.string(),
  }),
})
