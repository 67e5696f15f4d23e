import { countLink } from '../../../shared/communication/notifications/account-mail.access.ts'
import { findAddressee } from '../../../shared/identity/accounts/account.queries.ts'
import type {
  mailPasswordChanged,
  mailSignedUpByInvitation,
  sendMailToken,
} from '../../../shared/identity/accounts/accounts.jobs.ts'
import { findLinkToMail } from '../../../shared/identity/accounts/mail-token.queries.ts'
import type { Tx } from '../../../shared/platform/db/transaction.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { cleanName } from '../../../shared/platform/kernel/text.ts'
import { sendMail } from '../../platform/send-mail.ts'

/** Mails the holder of an account that its password was changed. Sends nothing when the account is deleted. */
export const mailPasswordChangedProcessor: JobProcessor<typeof mailPasswordChanged> = async (payload, tools, run) => {
  const account = await findAddressee(tools.database.db, payload.accountId)
  if (!account) return
  const at = payload.changedAt.replace('T', ' ').slice(0, 16)
  await sendMail(tools, run, {
    to: { name: account.name, address: account.email },
    subject: 'Your password was changed',
    paragraphs: [
      `Hello ${account.name},`,
      `The password of your account was changed on ${at} UTC, with a link that was mailed to this address.`,
      'All devices were signed out. Calendar addresses, push devices and connected accounts were removed; please set them up again.',
      'If that was not you, somebody else can read your mail: secure your mailbox first, then ask for a new password.',
    ],
    footer: 'You get this mail because it concerns the security of your account.',
    organizationId: null,
    group: 'security',
  })
}

/**
 * Mails the address of a new account that the account was created with the link of an invitation, because somebody else
 * may have used a forwarded link. Sends nothing when the account is deleted.
 */
export const mailSignedUpByInvitationProcessor: JobProcessor<typeof mailSignedUpByInvitation> = async (
  payload,
  tools,
  run,
) => {
  const account = await findAddressee(tools.database.db, payload.accountId)
  if (!account) return
  const at = payload.signedUpAt.replace('T', ' ').slice(0, 16)
  await sendMail(tools, run, {
    to: { name: account.name, address: account.email },
    subject: 'An account was created with your address',
    paragraphs: [
      `Hello ${account.name},`,
      `An account with this address was created on ${at} UTC, with the link of an invitation that was mailed to this address.`,
      'If that was you, there is nothing to do. If not, somebody else has the link: ask for a new password now, which signs them out, and tell the person who invited you.',
    ],
    action: { label: 'Ask for a new password', url: `${tools.config.PUBLIC_URL}/forgot-password` },
    footer: 'You get this mail because it concerns the security of your account.',
    organizationId: null,
    group: 'security',
  })
}

/**
 * Mails the link of a mail token. Sends nothing when the token is used or expired, the account is deleted, or the address is
 * not verified and its mailbox got enough such mails. The name is cleaned, because anybody can sign up with any address.
 */
export const sendMailTokenProcessor: JobProcessor<typeof sendMailToken> = async ({ mailTokenId }, tools, run) => {
  const row = await findLinkToMail(tools.database.db, mailTokenId, tools.clock())
  if (!row) return
  const mail = { jobId: run.id, address: row.email, purpose: row.purpose }
  const counted = (tx: Tx) => countLink(tx, mail, tools.config.RATE_LIMIT_FACTOR)
  if (!row.email_verified_at && !(await tools.transaction(counted))) return
  const token = tools.mailTokens.tokenOf(row.seed)
  const template = templates[row.purpose]
  const name = cleanName(row.name)
  await sendMail(tools, run, {
    to: { name, address: row.email },
    subject: template.subject,
    paragraphs: [`Hello ${name},`, template.text],
    // A token in the URL fragment does not reach server logs or referrers.
    action: { label: template.label, url: `${tools.config.PUBLIC_URL}/${template.page}#token=${token}` },
    footer: template.footer,
    organizationId: null,
    group: 'security',
  })
}

const templates = {
  verify_email: {
    subject: 'Confirm your email address',
    text: 'Please confirm that this address is yours. The link works for 24 hours.',
    label: 'Confirm address',
    page: 'verify-email',
    footer: 'You get this mail because this address was used to sign up. If that was not you, do nothing.',
  },
  reset_password: {
    subject: 'Set a new password',
    text: 'You can set a new password with this link. It works once, for one hour.',
    label: 'Set a new password',
    page: 'reset-password',
    footer: 'You get this mail because someone asked for a new password. If that was not you, do nothing.',
  },
}
