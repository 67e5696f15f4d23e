import type { OwnMoney, ownMoneyMail } from '../../../shared/billing/ledger/own-money.jobs.ts'
import { findOwnerToMail } from '../../../shared/identity/members/owner.queries.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../send-mail.ts'

const happened: Record<OwnMoney, (by: string, amount: string) => string> = {
  payment: (by, amount) => `${by} noted that an invoice of their own was paid past the payment processor: ${amount}.`,
  credit: (by, amount) => `${by} credited an invoice of their own: ${amount}.`,
  refund: (by, amount) => `${by} gave back ${amount} of a payment that they had noted themself.`,
  own_refund: (by, amount) => `${by} had ${amount} of an invoice of their own given back.`,
  entry: (by, amount) => `${by} posted ${amount} to their own account.`,
  pay_rates: (by, amount) => `${by} changed what they are paid themself: to at most ${amount} an hour.`,
  pay_run: (by, amount) => `${by} made a pay run in which they are paid themself: ${amount}.`,
}

/** Mails an owner that an admin moved money in their own favour. */
export const sendOwnMoneyMail: JobProcessor<typeof ownMoneyMail> = async (payload, tools, run) => {
  const found = await findOwnerToMail(tools.database.db, payload)
  if (!found) return
  const { name, address, by } = found
  const organization = cleanName(found.organization)
  await sendMail(tools, run, {
    to: { name, address },
    subject: `${organization}: money in somebody’s own favour`,
    paragraphs: [
      `Hello ${name},`,
      happened[payload.what](by, formatMoney(payload.amountCents, payload.currency)),
      'All owners get this mail. If it was agreed, there is nothing to do; the audit log, GET /reports/payments and GET /payRuns show the rest.',
    ],
    footer: `You get this mail as an owner of ${organization}.`,
    organizationId: payload.organizationId,
  })
}
