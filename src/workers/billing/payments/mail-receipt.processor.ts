import type { mailReceipt } from '../../../shared/billing/ledger/own-money.jobs.ts'
import { findReceiptToMail } from '../../../shared/billing/ledger/receipt.queries.ts'
import type { MailAbout } from '../../../shared/communication/notifications/given-up-mail.access.ts'
import { readSettings } from '../../../shared/platform/authz/organization-settings.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { formatMoney } from '../../../shared/platform/kernel/money.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../platform/send-mail.ts'

type Found = NonNullable<Awaited<ReturnType<typeof findReceiptToMail>>>

/**
 * Mails a payer the receipt of a payment or deposit by hand: amount, method and recorder. Mails the payer and each owner about a
 * reversal. Sends nothing without an address, or when the recipient is no longer an owner.
 * Implements interface §Desk grants.
 */
export const mailReceiptProcessor: JobProcessor<typeof mailReceipt> = async (payload, tools, run) => {
  const found = await findReceiptToMail(tools.database.db, payload)
  const to = found && recipientOf(found, payload.orgUserId)
  if (!to) return
  const organization = cleanName(found.organization)
  const matter = `receipt ${payload.receiptId}`
  await sendMail(tools, run, {
    to,
    subject: `${organization}: ${payload.about === 'taken' ? 'receipt' : 'reversal of receipt'} ${found.number}`,
    paragraphs: [
      `Hello ${to.name},`,
      sentenceOf(found, payload.about),
      'Please tell the school when this is not right.',
    ],
    footer: payload.orgUserId
      ? `You get this mail as an owner of ${organization}.`
      : `You get this mail because you pay ${organization}.`,
    organizationId: payload.organizationId,
    ...(payload.orgUserId
      ? { group: 'security' as const, about: { orgUserId: payload.orgUserId, matter } }
      : {
          group: 'charges' as const,
          reason: 'owed' as const,
          unproven: found.account_id === null,
          ...aboutPayer(found, matter),
        }),
  })
}

/** Returns the record of the payer, which shows the failure when the mail is given up. */
function aboutPayer({ member_id: orgUserId, guest_id: guestId }: Found, matter: string): { about?: MailAbout } {
  if (orgUserId !== null) return { about: { orgUserId, matter } }
  return guestId === null ? {} : { about: { guestId, matter } }
}

function recipientOf(found: Found, orgUserId: number | null): { name: string; address: string } | null {
  const [name, address] =
    orgUserId === null
      ? [found.member ?? found.guest, found.member_address ?? found.guest_address]
      : [found.owner, found.owner_address]
  return name && address ? { name, address } : null
}

function sentenceOf(found: Found, about: 'taken' | 'reversed'): string {
  const amount = formatMoney(found.amount_cents, found.currency ?? readSettings(found.settings).currency)
  const payer = cleanName(found.member ?? found.guest ?? '')
  const what = found.method
    ? `a payment of ${amount} by ${found.method} from ${payer}${found.invoice_number ? ` for invoice ${found.invoice_number}` : ''}`
    : `a deposit of ${amount} to the account of ${payer}`
  const recorder = cleanName(found.recorder)
  if (about === 'taken') return `${recorder} recorded ${what}. The number of the receipt is ${found.number}.`
  const reverser = cleanName(found.reverser ?? '') || recorder
  const now = found.method ? 'It is due again.' : 'It is no longer on the account.'
  return `${reverser} reversed ${what}, which ${recorder} had recorded as receipt ${found.number}. ${now} The reason: ${found.reversal_reason ?? ''}`
}
