import type { mailOfCharge } from '../../../shared/billing/autopay/autopay.jobs.ts'
import { chargeByAutopay } from '../../../shared/billing/autopay/autopay.jobs.ts'
import { findChargeToNotifyOf, markChargeNotified } from '../../../shared/billing/autopay/autopay-notice.access.ts'
import { objectsUntil } from '../../../shared/billing/flight-bill/taking.rules.ts'
import { momentInWords } from '../../../shared/communication/notifications/templates/when.rules.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../platform/send-mail.ts'

/**
 * Mails a payer that an invoice, which somebody else raised, will be charged to the payer's saved card, when, and how
 * to object. The charge follows 24 hours after the mail was sent. While the mail is not sent, or when it is given up,
 * nothing is charged; the payer can still pay the invoice.
 */
export const mailOfChargeProcessor: JobProcessor<typeof mailOfCharge> = async (payload, tools, run) => {
  const found = await findChargeToNotifyOf(tools.database.db, payload)
  if (!found) return
  const { organizationId, invoiceId } = payload
  const { name, address, number, memo, payUrl, zone } = found
  const organization = cleanName(found.organization)
  const amount = formatMoney(found.totalCents, found.currency)
  const from = objectsUntil(tools.clock())
  await sendMail(tools, run, {
    to: { name, address },
    subject: `${organization}: ${amount} of invoice ${number} are charged to your card, unless you object`,
    paragraphs: [
      `Hello ${name},`,
      `${organization} sent you invoice ${number} for ${amount}. On ${momentInWords(from, zone)} it is charged to your saved card. Nothing is charged before.`,
      `If it is right, there is nothing to do; you may also pay it yourself. If it is not, tell ${organization} before then, or switch autopay off: an invoice that is void, credited or changed is not charged.`,
      ...(memo ? [memo] : []),
    ],
    ...(payUrl && { action: { label: 'View and pay', url: payUrl } }),
    footer: `You get this mail because you have autopay on at ${organization}.`,
    organizationId,
    group: 'charges',
    reason: 'charge',
    about: { invoiceId },
  })
  await tools.transaction(async (tx) => {
    if (!(await markChargeNotified(tx, payload, from))) return
    tx.enqueue(chargeByAutopay, { organizationId, invoiceId, attempt: 1 }, { availableAt: from })
  })
}
