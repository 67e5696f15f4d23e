import type { Message } from './message.ts'
import { spanInWords } from './when.rules.ts'

/** A booking request as people are told of it; an approved one has the facts of its booking. `zone` is its own. */
export interface RequestToTell {
  id: number
  title: string
  start: Date
  end: Date
  zone: string
  resource: string | null
  /** Who asks: a member or a guest. */
  requester: string
  /** The booking that came of it. */
  reservationId: number | null
  reason: string | null
  /** The desk cancelled it rather than decline it. */
  cancelled: boolean
}

/** To desk staff: somebody asks for a booking. */
export function requestSubmitted(request: RequestToTell): Message {
  return compose(request, 'Booking request', `${request.requester} asks for a booking.`, [])
}

/** To the member who asked: they have it. */
export function requestApproved(request: RequestToTell): Message {
  return compose(request, 'Booking approved', 'Your booking request is approved: you are booked.', [])
}

/** To the member who asked: they do not get it, and why. */
export function requestDeclined(request: RequestToTell): Message {
  const why = request.reason ? [`Reason: ${request.reason}`] : []
  if (request.cancelled) return compose(request, 'Booking request cancelled', 'Your booking request is cancelled.', why)
  return compose(request, 'Booking declined', 'Your booking request is declined.', why)
}

function compose(request: RequestToTell, headline: string, opening: string, remarks: string[]): Message {
  const { id, reservationId, start, end, zone, resource } = request
  const facts = [spanInWords(start, end, zone), ...(resource ? [resource] : []), ...remarks]
  return {
    title: `${headline}: ${request.title}`,
    body: [opening, facts.join(' · ')].join(' '),
    data: { bookingRequestId: id, ...(reservationId !== null && { reservationId }) },
    mail: { paragraphs: [opening, ...facts], action: null },
  }
}
