import type { Message } from './message.rules.ts'
import { spanInWords } from './when.rules.ts'

/**
 * The facts of a booking request for its messages. For an approved request, title, times, time zone and resource are
 * those of its booking.
 */
export interface RequestTemplateData {
  id: number
  title: string
  start: Date
  end: Date
  zone: string
  resource: string | null
  /** The name of the member or guest who made the request. */
  requester: string
  /** Whether a guest made it. */
  byGuest: boolean
  /** The booking that the approval created. */
  reservationId: number | null
  reason: string | null
  /** True when desk staff cancelled it instead of declining it. */
  cancelled: boolean
}

/** Returns the message to desk staff about a new request. */
export function requestSubmitted(request: RequestTemplateData): Message {
  const message = compose(request, 'Booking request', `${request.requester} asks for a booking.`, [])
  return { ...message, mail: { ...message.mail, ...(request.byGuest && { asked: true }) } }
}

/** Returns the message to the requester about an approved request. */
export function requestApproved(request: RequestTemplateData): Message {
  return compose(request, 'Booking approved', 'Your booking request is approved: you are booked.', [])
}

/** Returns the message to the requester about a declined or cancelled request, with the reason. */
export function requestDeclined(request: RequestTemplateData): Message {
  const why = request.reason ? [`Reason: ${request.reason}`] : []
  if (request.cancelled) return compose(request, 'Booking request cancelled', 'Your booking request is cancelled.', why)
  return compose(request, 'Booking declined', 'Your booking request is declined.', why)
}

function compose(request: RequestTemplateData, headline: string, opening: string, remarks: string[]): Message {
  const { id, reservationId, start, end, zone, resource } = request
  const facts = [spanInWords(start, end, zone), ...(resource ? [resource] : []), ...remarks]
  return {
    title: `${headline}: ${request.title}`,
    body: [opening, facts.join(' · ')].join(' '),
    data: { bookingRequestId: id, ...(reservationId !== null && { reservationId }) },
    mail: { paragraphs: [opening, ...facts], action: null },
  }
}
