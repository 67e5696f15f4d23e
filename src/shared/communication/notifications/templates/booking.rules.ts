import type { Message } from './message.ts'
import { spanInWords } from './when.rules.ts'

/** A booking as people are told of it. `zone` is the booking's own. */
export interface BookingToTell {
  id: number
  title: string
  start: Date
  end: Date
  zone: string
  resource: string | null
  location: string | null
  /** The names of those seated. */
  people: readonly string[]
  /** Of how many bookings it is the first; null outside a series. */
  seriesCount: number | null
  /** Why, and of how many bookings of its series that were cancelled together it is the first. */
  cancellation: { reason: string | null; category: string | null; together: number } | null
}

/** To those seated: they have a booking. A series is told once, by its first. */
export function bookingCreated(booking: BookingToTell): Message {
  const series = booking.seriesCount && booking.seriesCount > 1 ? `The first of ${booking.seriesCount} bookings.` : null
  return compose(booking, 'New booking', 'You are booked.', series)
}

/** To those seated: the booking was moved or rewritten; it is told as it is now. */
export function bookingChanged(booking: BookingToTell): Message {
  return compose(booking, 'Booking changed', 'Your booking was changed. This is how it stands now.', null)
}

/** To those seated: the booking will not take place, and why. The rest of a series is told once, by its first. */
export function bookingCancelled(booking: BookingToTell): Message {
  const { reason = null, category = null, together = 1 } = booking.cancellation ?? {}
  const why = [category?.replaceAll('_', ' '), reason].filter(Boolean).join(': ')
  const remarks = [together > 1 ? `The first of ${together} bookings.` : '', why ? `Reason: ${why}` : ''].filter(
    Boolean,
  )
  return compose(booking, 'Booking cancelled', 'Your booking was cancelled.', remarks.join(' ') || null)
}

/** To those seated, ahead of the booking. */
export function bookingUpcoming(booking: BookingToTell): Message {
  return compose(booking, 'Coming up', 'Your booking is coming up.', null)
}

/** To those whose signature is missing: the flight is closed out and waits for them. */
export function reviewNeeded(booking: BookingToTell): Message {
  return compose(booking, 'Please confirm', 'The times are in. Please check them and confirm the close-out.', null)
}

function compose(booking: BookingToTell, headline: string, opening: string, remark: string | null): Message {
  const when = spanInWords(booking.start, booking.end, booking.zone)
  const where = [booking.resource, booking.location].filter(Boolean).join(', ')
  const facts = [when, where, listOf(booking.people)].filter(Boolean)
  return {
    title: `${headline}: ${booking.title}`,
    body: [facts.join(' · '), remark].filter(Boolean).join(' · '),
    data: { reservationId: booking.id },
    mail: { paragraphs: [opening, ...facts, ...(remark ? [remark] : [])], action: null },
  }
}

/** A dozen names would push everything else off a phone's screen. */
const NAMED = 4

function listOf(people: readonly string[]): string {
  if (people.length <= NAMED) return people.join(', ')
  return `${people.slice(0, NAMED).join(', ')} and ${people.length - NAMED} more`
}
