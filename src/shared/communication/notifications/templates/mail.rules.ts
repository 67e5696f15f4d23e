import type { UndeliveredReason } from '../../../platform/deliveries/undelivered-mail.types.ts'
import type { Message } from './message.rules.ts'

/** The facts of a mail that was given up: exactly one of the ids is set. */
export interface GivenUpTemplateData {
  reason: UndeliveredReason
  invitation_id: number | null
  invoice_id: number | null
  guest_id: number | null
  membership_id: number | null
  /** The invited address. */
  invited: string | null
  /** The number of the invoice; null before it is issued, and for other mails. */
  number: number | null
  guest: string | null
  member: string | null
  /** Whether no more such notifications follow on this day. */
  isLast: boolean
}

const because: Readonly<Record<UndeliveredReason, string>> = {
  unsubscribed: 'the person at this address unsubscribed from the mails of the organization',
  address_limit: 'the address reached its daily limit of mails',
  organization_limit: 'the organization reached its daily limit of mails',
  refused: 'the mail server of the address refused it',
  not_delivered: 'no mail server accepted it for hours',
}

/** Returns the message to admins about a mail that was given up. It is sent for the first such mails of a day (`recordGivenUp`). */
export function mailGivenUp(mail: GivenUpTemplateData): Message {
  const sentence =
    `A mail was not sent because ${because[mail.reason]}: ${whatOf(mail)}. Please tell the person in another way, or ` +
    (mail.invitation_id === null ? 'send it again later.' : 'delete the invitation and invite the person again later.')
  const often = mail.isLast
    ? 'You get no more such notifications today, unless such a mail is delivered at last.'
    : 'You get this notification only for the first mails of a day that were not sent.'
  const more = `${often} Invitations, invoices and guests show whether their latest mail was not sent.`
  return {
    title: `A mail was not sent: ${whatOf(mail)}`,
    body: mail.isLast ? `${sentence} ${more}` : sentence,
    data: {
      ...(mail.invitation_id !== null && { invitationId: mail.invitation_id }),
      ...(mail.invoice_id !== null && { invoiceId: mail.invoice_id }),
      ...(mail.guest_id !== null && { guestId: mail.guest_id }),
      ...(mail.membership_id !== null && { orgUserId: mail.membership_id }),
    },
    mail: { paragraphs: [sentence, more], action: null },
  }
}

function whatOf({ invitation_id, invoice_id, invited, number, guest, member }: GivenUpTemplateData): string {
  if (invitation_id !== null) return `the invitation to ${invited}`
  if (invoice_id !== null) return number === null ? 'an invoice' : `invoice ${number}`
  return guest === null ? `a mail to ${member}` : `a mail to ${guest}, a guest`
}
