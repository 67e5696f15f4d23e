import { objectsUntil } from '../../../shared/billing/flight-bill/taking.rules.ts'
import { findPaymentToNotifyOf, markPaymentNotified } from '../../../shared/billing/payments/ledger-notice.access.ts'
import { type mailOfLedgerPayment, payOpenFromLedger } from '../../../shared/billing/payments/ledger-payments.jobs.ts'
import { payOpenOfMember } from '../../../shared/billing/payments/pay-open-from-ledger.ts'
import { momentInWords } from '../../../shared/communication/notifications/templates/when.rules.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../platform/send-mail.ts'

/**
 * Mails a payer that an invoice, to which the payer has not agreed, will be paid from the payer's ledger, when, and how to object. The
 * payment follows 24 hours after the mail was sent. While the mail is not sent, or when it is given up, nothing is taken.
 */
export const mailOfLedgerPaymentProcessor: JobProcessor<typeof mailOfLedgerPayment> = async (payload, tools, run) => {
  const found = await findPaymentToNotifyOf(tools.database.db, payload)
  if (!found) return
  const { organizationId, invoiceId } = payload
  const { orgUserId, name, address, managed, number, memo, payUrl, zone, currency } = found
  const organization = cleanName(found.organization)
  const due = formatMoney(found.dueCents, currency)
  const from = objectsUntil(tools.clock())
  await sendMail(tools, run, {
    to: { name, address },
    subject: `${organization}: invoice ${number} of ${due} is paid from your ledger, unless you object`,
    paragraphs: [
      `Hello ${name},`,
      `${organization} sent you invoice ${number} for ${due}. Your ledger has ${formatMoney(found.balanceCents, currency)}. On ${momentInWords(from, zone)} the invoice is paid from it, as far as it goes. Nothing is taken before.`,
      `If it is right, there is nothing to do; you may also pay it yourself. If it is not, tell ${organization} before then: an invoice that is void or credited is not paid.`,
      ...(memo ? [memo] : []),
    ],
    ...(payUrl && { action: { label: 'View and pay', url: payUrl } }),
    footer: `You get this mail because ${organization} pays invoices from the ledgers of its members.`,
    organizationId,
    group: 'charges',
    reason: 'charge',
    unproven: managed,
    about: { invoiceId },
  })
  await tools.transaction(async (tx) => {
    if (!(await markPaymentNotified(tx, payload, from))) return
    tx.enqueue(payOpenFromLedger, { organizationId, orgUserId }, { availableAt: from })
  })
}

/** Pays the open invoices of a member from the member's ledger. */
export const payOpenFromLedgerProcessor: JobProcessor<typeof payOpenFromLedger> = async (payload, tools) => {
  await tools.transaction((tx) => payOpenOfMember(tx, payload))
}
