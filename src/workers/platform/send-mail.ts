import {
  forgetGivenUp,
  type MailAbout,
  recordGivenUp,
} from '../../shared/communication/notifications/given-up-mail.access.ts'
import { isNewcomer } from '../../shared/communication/notifications/recipients.queries.ts'
import {
  countMail,
  hashOfAddress,
  type MailGroup,
} from '../../shared/communication/notifications/unproven-mail.access.ts'
import type { MailReason } from '../../shared/communication/notifications/unproven-mail.rules.ts'
import { endingToken } from '../../shared/communication/notifications/unsubscribe-token.ts'
import { findSender } from '../../shared/identity/organizations/organization.queries.ts'
import { senderName } from '../../shared/identity/organizations/sender.rules.ts'
import { done, never } from '../../shared/platform/adapters/call-result.ts'
import { renderMail } from '../../shared/platform/adapters/mail/layout.ts'
import { type Invitation, MailRefused } from '../../shared/platform/adapters/mail/mailer.port.ts'
import type { Tx } from '../../shared/platform/db/transaction.ts'
import { deliver } from '../../shared/platform/deliveries/deliver.ts'
import type { UndeliveredReason } from '../../shared/platform/deliveries/undelivered-mail.types.ts'
import type { JobRun, JobTools } from '../../shared/platform/jobs/job-tools.ts'

/** The content of a mail, from which the layout renders its text and HTML parts. */
export interface MailMessage {
  to: { name: string; address: string }
  subject: string
  paragraphs: string[]
  action?: { label: string; url: string }
  /** The reason why the reader gets this mail. */
  footer: string
  /** The organization in whose name the mail is sent; null for a mail of the service itself. */
  organizationId: number | null
  /** The group in which the mail counts towards the daily limit per address. */
  group: MailGroup
  /** The reason for the mail, which decides its daily limits; `usual` when absent. */
  reason?: MailReason
  /**
   * The page that turns off mails of this kind with one click (RFC 8058); for a notification that its reader can turn
   * off.
   */
  unsubscribeUrl?: string
  /** The label of the link to that page; "Turn off mails of this kind" when absent. */
  unsubscribeLabel?: string
  /** The page of all notification preferences, after signing in; for a notification to a member. */
  preferencesUrl?: string
  /**
   * Whether nobody has confirmed the address to the service: that of a guest, of a managed member, or of an invited
   * person. Such mails have lower daily limits, and a link that unsubscribes the address from all mail of the
   * organization.
   */
  unproven?: boolean
  /** The orgUserId of the student or renter who caused the mail; it then has further daily limits. */
  byMember?: number | undefined
  /** The record that shows the failure when the mail is given up. */
  about?: MailAbout
  /** Further writes when the mail is given up, in the same transaction. */
  onGivenUp?: (tx: Tx) => void | Promise<void>
  invitations?: readonly Invitation[]
}

/**
 * Sends the one mail of a job. When a daily limit is reached or the address is unsubscribed, the mail is given up.
 * Every attempt has the same Message-ID, derived from the delivery's key. Mails of a demo organization go only to the
 * mail catcher of the all-in-one (`DEMO_MAIL`), never through a real mail server.
 * @throws Permanent when the mail is given up: a limit, an unsubscribed address, an address that the server rejects
 * permanently, or the last attempt failed
 */
export async function sendMail(tools: JobTools, run: JobRun, letter: MailMessage): Promise<void> {
  const { organizationId, to, group, reason = 'usual', unproven = false } = letter
  if (organizationId === null) return post(tools, run, letter)
  const { byMember } = letter
  const by = byMember !== undefined && { organizationId, orgUserId: byMember }
  const byNewcomer = by && (await isNewcomer(tools.database.db, by, tools.clock()))
  const mail = { jobId: run.id, organizationId, address: to.address, group, reason, unproven, byMember, byNewcomer }
  const { RATE_LIMIT_FACTOR } = tools.config
  const refusal = await tools.transaction((tx) => countMail(tx, mail, RATE_LIMIT_FACTOR))
  if (refusal) {
    const { reason: given, text } = refusals[refusal]
    return deliver(tools, run, {
      kind: 'mail',
      call: async () => never(text, recordsOf(letter, byNewcomer).gaveUp(given)),
    })
  }
  const ended = unproven && endingLink(tools, organizationId, to.address)
  return post(tools, run, { ...letter, ...ended }, byNewcomer)
}

async function post(tools: JobTools, run: JobRun, letter: MailMessage, byNewcomer = false): Promise<void> {
  const { to, subject, paragraphs, action, footer, organizationId, invitations } = letter
  const { gaveUp, arrived } = recordsOf(letter, byNewcomer)
  const host = new URL(tools.config.PUBLIC_URL).hostname
  const sender = organizationId === null ? null : await findSender(tools.database.db, organizationId)
  if (sender?.demo && tools.config.DEMO_MAIL === 'off') return
  const from = sender && { fromName: senderName(sender.name), ...(sender.replyTo && { replyTo: sender.replyTo }) }
  const headers = letter.unsubscribeUrl && {
    'List-Unsubscribe': `<${letter.unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const footerLinks = [
    ...(letter.unsubscribeUrl
      ? [{ label: letter.unsubscribeLabel ?? 'Turn off mails of this kind', url: letter.unsubscribeUrl }]
      : []),
    ...(letter.preferencesUrl ? [{ label: 'Notification preferences', url: letter.preferencesUrl }] : []),
  ]
  const parts = renderMail({
    title: subject,
    paragraphs,
    footer,
    footerLinks,
    ...(action && { action }),
  })
  return deliver(tools, run, {
    kind: 'mail',
    async call({ key }, signal) {
      try {
        const messageId = `<${key}@${host}>`
        const more = { ...(headers && { headers }), ...(invitations && { invitations }) }
        await tools.mailer.send({ to, subject, ...parts, ...from, ...more, messageId }, signal)
        return done(arrived)
      } catch (error) {
        if (error instanceof MailRefused) return never(error.reason, gaveUp('refused'))
        throw error
      }
    },
    onGivenUp: gaveUp('not_delivered'),
  })
}

/**
 * Returns the functions that store the end of a mail on the record that it is about. `gaveUp`: stores the reason.
 * `arrived`: deletes the reason of an earlier mail; undefined when the mail is about no record, and for security mails: the notice
 * of a given-up mail, delivered to an admin, does not mean that the admin's own mail arrived.
 */
function recordsOf(
  { organizationId, about, group, reason: because = 'usual', onGivenUp }: MailMessage,
  byNewcomer: boolean,
) {
  const record = about && organizationId !== null ? { organizationId, about } : null
  return {
    gaveUp: (reason: UndeliveredReason) => async (tx: Tx) => {
      if (record) await recordGivenUp(tx, record, { reason, because, byNewcomer })
      await onGivenUp?.(tx)
    },
    arrived: record && group !== 'security' ? (tx: Tx) => forgetGivenUp(tx, record) : undefined,
  }
}

const refusals = {
  ended: { reason: 'unsubscribed', text: 'The address is unsubscribed from the mails of the organization.' },
  address: { reason: 'address_limit', text: 'The address reached its daily limit of mails.' },
  organization: {
    reason: 'organization_limit',
    text: 'The organization, or all organizations of an owner together, reached the daily limit of mails.',
  },
} as const

/** Returns the link that unsubscribes an unconfirmed address from all mail of the organization, and its label. */
function endingLink({ mailTokens, config }: JobTools, organizationId: number, address: string) {
  const token = endingToken(mailTokens, organizationId, hashOfAddress(address))
  return {
    unsubscribeUrl: `${config.PUBLIC_URL}/mail/unsubscribe/${token}`,
    unsubscribeLabel: 'No more mails from this organization',
  }
}
