import { spanInWords } from '../../communication/notifications/templates/when.rules.ts'
import type { BookingRequestStatus } from './booking-request.states.ts'

/**
 * A decided request of a guest. The times are those of the booking, or else of the request; `zone` is the
 * organization's.
 */
export interface DecidedRequest {
  status: BookingRequestStatus
  organization: string
  title: string
  start: Date
  end: Date
  zone: string
  resource: string | null
  reason: string | null
  /** True when the booking is paid in advance. */
  prepaid: boolean
  /** The payment page; null until the invoice is issued. */
  payUrl: string | null
}

/**
 * Returns the mail to a guest about the desk's decision, without the greeting. Implements interface §Booking request.
 */
export function decisionMessage(request: DecidedRequest): { subject: string; paragraphs: string[] } {
  const { organization, title, reason } = request
  const when = spanInWords(request.start, request.end, request.zone)
  if (request.status === 'approved') {
    const facts = [when, ...(request.resource ? [request.resource] : [])]
    return {
      subject: `${title} at ${organization}: you are booked`,
      paragraphs: [`${organization} has approved your request: ${title}.`, ...facts, ...payment(request)],
    }
  }
  const done = request.status === 'declined' ? 'declined' : 'cancelled'
  return {
    subject: `${title} at ${organization}: your request is ${done}`,
    paragraphs: [
      `${organization} has ${done} your request: ${title}, ${when}.`,
      ...(reason ? [`Reason: ${reason}`] : []),
      'Please ask them if you would like another time.',
    ],
  }
}

function payment({ prepaid, payUrl }: DecidedRequest): string[] {
  if (!prepaid) return []
  return [payUrl ? 'It is paid in advance: please pay it now.' : 'It is paid in advance: the invoice comes by mail.']
}
