import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import { takeableFrom } from '../../../shared/billing/flight-bill/taking.rules.ts'
import { findNoticeToMail, markGivenUp, markNotified } from '../../../shared/billing/invoices/charge-notice.access.ts'
import { recordNotInvoiced } from '../../../shared/billing/invoices/invoice-signed-off.ts'
import { invoiceWaited, type notifyPayer, type takenFrom } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { postpone } from '../../../shared/billing/invoices/postpone-notice.access.ts'
import { isOfStudentsOrRenters } from '../../../shared/communication/notifications/recipients.queries.ts'
import { dayInWords, momentInWords } from '../../../shared/communication/notifications/templates/when.rules.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../platform/send-mail.ts'

const inWords: Record<(typeof takenFrom)[number], string> = {
  packages: 'your packages',
  account: 'your account with the school',
  card: 'your saved card',
}

/**
 * Mails a payer who has not signed a flight how much will be charged for it, from which sources and when, and how to
 * object. The charge follows 24 hours after the mail was sent. When the mail is given up, nothing is charged, and
 * admins are notified that the flight is not invoiced. When a limit per flight or per mailbox is reached, a later job
 * sends the mail.
 */
export const notifyPayerProcessor: JobProcessor<typeof notifyPayer> = async (payload, tools, run) => {
  const found = await findNoticeToMail(tools.database.db, payload)
  if (!found) return
  const { name, address, managed, title, start, zone, amountCents, signers } = found
  const { RATE_LIMIT_FACTOR } = tools.config
  const mail = { jobId: run.id, address }
  if (await tools.transaction((tx) => postpone(tx, payload, mail, RATE_LIMIT_FACTOR))) return
  const { db } = tools.database
  const { signedBy: signer } = found
  const byMember =
    signer !== null && (await isOfStudentsOrRenters(db, payload.organizationId, signer)) ? signer : undefined
  const organization = cleanName(found.organization)
  const amount = formatMoney(amountCents, payload.currency)
  const notice = { amountCents, notifiedAt: tools.clock() }
  const from = takeableFrom({ agreed: false, amountCents, notice }, notice.notifiedAt)!
  const sources = payload.sources.map((source) => inWords[source]).join(', then ')
  const moment = momentInWords(from, zone)
  await sendMail(tools, run, {
    to: { name, address },
    subject: `${organization}: ${amount} for ${title}, unless you object`,
    paragraphs: [
      `Hello ${name},`,
      `You are to pay ${amount} for ${title} of ${dayInWords(start, zone)}. ${signedBy(signers)} ${ownSignature(found)}`,
      `On ${moment} this is taken from ${sources}. Nothing is taken before.`,
      `If it is right, there is nothing to do; when ${managed ? `${organization} signs it for you` : 'you sign it'}, it is taken at once. If it is not, tell ${organization} before then: the desk can change who pays, and nothing is taken until the flight is signed again.`,
    ],
    footer: `You get this mail because you are named as a payer of a flight at ${organization}.`,
    organizationId: payload.organizationId,
    group: 'charges',
    reason: 'charge',
    unproven: managed,
    byMember,
    about: { orgUserId: payload.orgUserId, matter: `reservation ${payload.reservationId}` },
    async onGivenUp(tx) {
      await markGivenUp(tx, payload, amountCents)
      recordNotInvoiced(tx, { ...payload, reason: billingErrors.payerNotNotified({ payer: name }) })
    },
  })
  await tools.transaction(async (tx) => {
    if (!(await markNotified(tx, payload, notice))) return
    const { organizationId, reservationId } = payload
    tx.enqueue(invoiceWaited, { organizationId, reservationId }, { availableAt: from })
  })
}

function signedBy(signers: readonly string[]): string {
  return signers.length === 0 ? '' : `It was signed by ${signers.join(' and ')}.`
}

function ownSignature({ signedForLess, managed }: { signedForLess: boolean; managed: boolean }): string {
  if (signedForLess) return 'It costs you more than when it was signed.'
  return managed ? 'It was not signed for you.' : 'You have not signed it.'
}
