import { shortened } from '../../../platform/kernel/text.ts'
import type { NotificationKind } from '../notification-kinds.rules.ts'

/** The names of the ids in a message. Each is of a record that a client can read. */
export const messageIds = [
  'announcementId',
  'bookingRequestId',
  'currencyId',
  'documentId',
  'endorsementId',
  'enrollmentId',
  'fromOrgUserId',
  'guestId',
  'invitationId',
  'invoiceId',
  'joinRequestId',
  'managedOrgUserId',
  'offerId',
  'operationId',
  'orgUserId',
  'recordId',
  'reminderId',
  'reservationId',
  'resourceId',
  'squawkId',
  'testId',
  'waitlistEntryId',
] as const

/** The ids of the records that a client can open, and the changed fields of a record with their values. */
export type MessageData = Partial<Record<(typeof messageIds)[number], number>> & {
  reservationIds?: readonly number[]
  changes?: readonly PartChange[]
  /** Whether the booking was restored after its cancellation. */
  restored?: true
}

export interface PartChange {
  field: string
  before: unknown
  after: unknown
}

/** The text of one notification. Every value is plain text. */
export interface Message {
  /** The title in the app and of the push, and the subject of the mail. */
  title: string
  /** The text in the app and of the push. */
  body: string
  data: MessageData
  mail: {
    paragraphs: string[]
    /** The button of the mail; null when there is no page to open. */
    action: { label: string; url: string } | null
    /** The button that opens a page: with the token of this seed, which only the mail has, or one to sign in on; absent without one. */
    link?: { label: string } & ({ page: 'offer'; seed: string } | { page: 'stalled-students' })
    /** Whether a stranger caused it by a request of the public, so that it uses none of the organization's mails. */
    asked?: boolean
  }
}

/**
 * The most characters of title and body. Phones show no more, and a push must be smaller than 4 KB at up to three bytes
 * per character.
 */
const TITLE_LENGTH = 200
const BODY_LENGTH = 500

/** Returns the push payload of a message: title and body shortened to fit, kind and ids as text. */
export function pushOf(
  kind: NotificationKind,
  { title, body, data }: Message,
): { title: string; body: string; data: Record<string, string> } {
  const ids = Object.entries(data).flatMap(([name, id]) => (typeof id === 'number' ? [[name, String(id)]] : []))
  return {
    title: shortened(title, TITLE_LENGTH),
    body: shortened(body, BODY_LENGTH),
    data: { kind, ...Object.fromEntries(ids) },
  }
}
