import type { mailNotification } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import type { MailAbout } from '../../../shared/communication/notifications/given-up-mail.access.ts'
import { type NotificationKind, ruleOf } from '../../../shared/communication/notifications/notification-kinds.rules.ts'
import { preferredAs } from '../../../shared/communication/notifications/preferences.rules.ts'
import {
  findGuestToMail,
  findMemberToMail,
  type MailReader,
} from '../../../shared/communication/notifications/recipients.queries.ts'
import type { Message } from '../../../shared/communication/notifications/templates/message.rules.ts'
import type { MailReason } from '../../../shared/communication/notifications/unproven-mail.rules.ts'
import { unsubscribeToken } from '../../../shared/communication/notifications/unsubscribe-token.ts'
import type { Invitation } from '../../../shared/platform/adapters/mail/mailer.port.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { sendMail } from '../../platform/send-mail.ts'
import type { NotificationDefinitions } from './define-notification.ts'

/** Returns the calendar invitations of a mail to this reader; for most kinds of notification none. */
type FindInvitations = (
  payload: JobPayload<typeof mailNotification>,
  tools: JobTools,
  reader: MailReader,
) => Promise<Invitation[]>

/**
 * Mails a notification to one person, with the current facts. Sends nothing when the notification no longer applies,
 * or the person has left, is no longer in the audience, or has turned mails of its kind off.
 */
export const mailNotificationProcessor =
  (definitions: NotificationDefinitions, findInvitations: FindInvitations): JobProcessor<typeof mailNotification> =>
  async (payload, tools, run) => {
    const notification = await definitions[payload.kind](tools, payload)
    if (!notification) return
    const reader = await findReader(tools.database.db, payload, await notification.audience())
    if (!reader) return
    const { title, mail } = notification.message
    const { organizationId, orgUserId, kind } = payload
    const rule = ruleOf(kind)
    const token =
      orgUserId === null
        ? null
        : unsubscribeToken(tools.mailTokens, { organizationId, orgUserId, kind: preferredAs(kind) })
    await sendMail(tools, run, {
      to: { name: reader.name, address: reader.address },
      subject: title,
      paragraphs: [`Hello ${reader.name},`, ...mail.paragraphs],
      ...(mail.action && { action: mail.action }),
      ...(mail.link && { action: linkedPage(tools, mail.link, organizationId) }),
      footer: `You get this mail as a ${reader.as} of ${reader.organization}.`,
      organizationId,
      ...(reader.as === 'member' && {
        preferencesUrl: `${tools.config.PUBLIC_URL}/mail-preferences#organization=${organizationId}`,
      }),
      group: rule.mail === 'security' ? 'security' : preferredAs(kind),
      reason: reasonOf(rule.mail, { asked: mail.asked, byMember: payload.byMember }),
      unproven: reader.as !== 'member',
      byMember: payload.byMember,
      about: aboutOf(payload),
      ...(token && { unsubscribeUrl: `${tools.config.PUBLIC_URL}/mail/unsubscribe/${token}` }),
      invitations: await findInvitations(payload, tools, reader),
    })
  }

/** Returns the button that opens a page of a mailed link. A token is in the fragment, which no server logs. */
function linkedPage(
  { config, mailTokens }: JobTools,
  link: NonNullable<Message['mail']['link']>,
  organizationId: number,
) {
  const fragment = 'seed' in link ? mailTokens.tokenOf(link.seed) : `organization=${organizationId}`
  return { label: link.label, url: `${config.PUBLIC_URL}/${link.page}#${fragment}` }
}

function reasonOf(
  mail: 'security' | 'owed' | 'cancelled' | undefined,
  { asked = false, byMember }: { asked?: boolean | undefined; byMember: number | undefined },
): MailReason {
  if (asked) return 'asked'
  if (mail === undefined || mail === 'security') return 'usual'
  if (mail === 'cancelled') return 'caused'
  return byMember === undefined ? 'owed' : 'billed'
}

/** The kinds of notification to the payer of an invoice whose subject is the invoice. */
const ofInvoice: ReadonlySet<NotificationKind> = new Set(['invoice_raised', 'invoice_reminder', 'invoice_credited'])

/**
 * Returns the record that shows the failure when the mail is given up: the invoice, or else the guest or the member who
 * gets the mail. Mails about one record are about one matter, so that a mail about a cancelled booking replaces the one about
 * the booking.
 */
function aboutOf({ kind, subjectId, guestId, orgUserId }: JobPayload<typeof mailNotification>): MailAbout {
  if (ofInvoice.has(kind)) return { invoiceId: subjectId }
  const [event] = ruleOf(kind).events ?? []
  const matter = `${event?.split('.')[0] ?? kind} ${subjectId}`
  return guestId === null ? { orgUserId: orgUserId!, matter } : { guestId, matter }
}

async function findReader(
  db: Db,
  payload: JobPayload<typeof mailNotification>,
  audience: Audience,
): Promise<MailReader | null> {
  const { organizationId, orgUserId, guestId } = payload
  if (guestId !== null) return audience.guestIds.includes(guestId) ? findGuestToMail(db, organizationId, guestId) : null
  if (orgUserId === null || !audience.orgUserIds.includes(orgUserId)) return null
  return findMemberToMail(db, payload, orgUserId)
}
