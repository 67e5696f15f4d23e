import type { mailNotification } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  findGuestToMail,
  findMemberToMail,
  findRecipients,
  type MailReader,
} from '../../../shared/communication/notifications/recipients.queries.ts'
import { unsubscribeToken } from '../../../shared/communication/notifications/unsubscribe-token.ts'
import { senderName } from '../../../shared/identity/organizations/sender.rules.ts'
import { addressOf } from '../../../shared/platform/adapters/mail/sender-address.ts'
import type { Db } from '../../../shared/platform/db/database.ts'
import type { JobPayload } from '../../../shared/platform/jobs/define-job.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { findSequences } from '../../../shared/scheduling/calendar/calendar.queries.ts'
import { invitationTo } from '../../../shared/scheduling/calendar/invitation.ts'
import { findReservation } from '../../../shared/scheduling/reservations/reservation.queries.ts'
import { sendMail } from '../../send-mail.ts'
import { notificationDefinitions } from './notification-definitions.ts'

/**
 * Mails a notification to one person, with the current facts. Sends nothing when the notification no longer applies, or
 * the person has left, is no longer in the audience, or has turned mail off.
 */
export const sendNotificationMail: JobProcessor<typeof mailNotification> = async (payload, tools, run) => {
  const notification = await notificationDefinitions[payload.kind](tools, payload)
  if (!notification) return
  const reader = await findReader(tools.database.db, payload, await notification.audience())
  if (!reader) return
  const { title, mail } = notification.message
  const { organizationId, orgUserId, kind } = payload
  const token = orgUserId === null ? null : unsubscribeToken(tools.mailTokens, { organizationId, orgUserId, kind })
  await sendMail(tools, run, {
    to: { name: reader.name, address: reader.address },
    subject: title,
    paragraphs: [`Hello ${reader.name},`, ...mail.paragraphs],
    ...(mail.action && { action: mail.action }),
    footer: reader.member
      ? `You get this mail as a member of ${reader.organization}.`
      : `You get this mail as a guest of ${reader.organization}.`,
    organizationId,
    ...(reader.member && {
      preferencesUrl: `${tools.config.PUBLIC_URL}/mail-preferences#organization=${organizationId}`,
    }),
    ...(token && { unsubscribeUrl: `${tools.config.PUBLIC_URL}/mail/unsubscribe/${token}` }),
    ...(await invitationOf(payload, tools, reader)),
  })
}

const bookingKinds: readonly string[] = ['reservation_created', 'reservation_changed', 'reservation_cancelled']

/** The invitation to the booking of a mail. One to a series has none: an invitation is to one event. */
async function invitationOf(
  { kind, organizationId, subjectId }: JobPayload<typeof mailNotification>,
  { database, config }: JobTools,
  reader: MailReader,
) {
  if (!bookingKinds.includes(kind)) return {}
  const booking = await findReservation(database, organizationId, subjectId)
  if (!booking || booking.series_id !== null) return {}
  const sequences = await findSequences(database.db, organizationId, [booking.id])
  const terms = {
    publicUrl: config.PUBLIC_URL,
    sequence: sequences.get(booking.id) ?? 0,
    organizer: { name: senderName(reader.organization), email: addressOf(config.MAIL_FROM) },
    notes: reader.member,
  }
  return { invitation: invitationTo(booking, reader, terms) }
}

async function findReader(
  db: Db,
  payload: JobPayload<typeof mailNotification>,
  audience: Audience,
): Promise<MailReader | null> {
  const { organizationId, orgUserId, guestId } = payload
  if (guestId !== null) return audience.guestIds.includes(guestId) ? findGuestToMail(db, organizationId, guestId) : null
  if (orgUserId === null || !audience.orgUserIds.includes(orgUserId)) return null
  const [recipient] = await findRecipients(db, { ...payload, causedBy: null }, [orgUserId])
  return recipient?.email ? findMemberToMail(db, organizationId, orgUserId) : null
}
