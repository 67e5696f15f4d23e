import type { mailOwnMoney, OwnMoney } from '../../../shared/billing/ledger/own-money.jobs.ts'
import { momentInWords } from '../../../shared/communication/notifications/templates/when.rules.ts'
import { findOwnerToMail } from '../../../shared/identity/members/owner.queries.ts'
import type { ControlKey } from '../../../shared/platform/authz/loosened.rules.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { ZERO } from '../../../shared/platform/kernel/units.ts'
import { sendMail } from '../../platform/send-mail.ts'

const happened: Record<Exclude<OwnMoney, 'control'>, (by: string, amount: string) => string> = {
  payment: (by, amount) =>
    `${by} recorded that an invoice of their own was paid outside the payment processor: ${amount}.`,
  credit: (by, amount) => `${by} credited an invoice of their own: ${amount}.`,
  refund: (by, amount) => `${by} refunded ${amount} of a payment that they had recorded themselves.`,
  own_refund: (by, amount) => `${by} refunded ${amount} of an invoice of their own.`,
  refund_approved: (by) => `${by} approved a refund of an invoice of their own.`,
  void: (by, amount) => `${by} voided an invoice of their own: ${amount}.`,
  lowered: (by, amount) => `${by} lowered an invoice of their own, by ${amount}.`,
  prepaid: (by, amount) => `${by} booked for themselves at a price that is paid in advance: ${amount}.`,
  package: (by, amount) => `${by} bought a package for themselves: ${amount}.`,
  waived: (by) => `${by} waived their own share of a flight.`,
  readings: (by) => `${by} shortened the times of a flight that they pay for.`,
  tax_exempt: (by) => `${by} changed whether they pay taxes.`,
  billing_mode: (by) => `${by} changed how they are billed: by invoice, or on the ledger.`,
  rates: (by) => `${by} changed what is charged for their own instruction.`,
  entry: (by, amount) => `${by} posted ${amount} to their own account.`,
  pay_rates: (by, amount) => `${by} changed their own pay rate: to at most ${amount} an hour.`,
  pay_run: (by, amount) => `${by} created a pay run that pays them: ${amount}.`,
}

const controls: Readonly<Record<ControlKey, string>> = {
  refundApprovalCents: 'the limit above which a second admin approves a refund',
  minimumBalanceCents: 'the minimum balance of members’ accounts',
  prepaidBy: 'who can book at a price that is paid in advance',
}

function sentenceOf(by: string, { what, amountCents, currency, control }: JobPayload<typeof mailOwnMoney>): string {
  if (what !== 'control') return happened[what](by, formatMoney(amountCents ?? ZERO, currency))
  const { key, from } = control!
  return `${by} loosened ${controls[key]} (settings.${key}). It takes effect on ${momentInWords(new Date(from), 'UTC')}, unless somebody sets it back before.`
}

/**
 * Mails an owner that an admin moved money in the admin's own favour, or that somebody loosened a money control. Sends
 * nothing when the recipient is no longer an owner.
 */
export const mailOwnMoneyProcessor: JobProcessor<typeof mailOwnMoney> = async (payload, tools, run) => {
  const found = await findOwnerToMail(tools.database.db, payload)
  if (!found) return
  const { name, address, by } = found
  const organization = cleanName(found.organization)
  await sendMail(tools, run, {
    to: { name, address },
    subject: `${organization}: ${payload.what === 'control' ? 'a control of money is loosened' : 'money in somebody’s own favour'}`,
    paragraphs: [
      `Hello ${name},`,
      sentenceOf(by, payload),
      'All owners get this mail. If it was agreed, there is nothing to do; the audit log, GET /reports/payments and GET /payRuns show the rest.',
    ],
    footer: `You get this mail as an owner of ${organization}.`,
    organizationId: payload.organizationId,
    group: 'security',
    about: { orgUserId: payload.orgUserId, matter: 'own money' },
  })
}
