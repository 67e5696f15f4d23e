import type { Message, PartChange } from './message.rules.ts'
import { momentInWords, spanInWords } from './when.rules.ts'

/** The facts of a booking for its messages. `zone` is the booking's zone. */
export interface BookingTemplateData {
  id: number
  title: string
  start: Date
  end: Date
  zone: string
  resource: string | null
  location: string | null
  /** The names of the people on the booking. */
  people: readonly string[]
  /** The number of bookings in the series that the booking belongs to; null outside a series. */
  seriesCount: number | null
  /** Where a solo flight goes, in words; null or absent for other bookings. */
  soloRoute?: string | null
  /**
   * The reason and category of the cancellation. `together` is the number of bookings of the series that were cancelled
   * together; this booking is the first of them.
   */
  cancellation: { reason: string | null; category: string | null; together: number } | null
  /** The fields that the event changed, with their values; empty when the booking was created or cancelled. */
  changes: readonly PartChange[]
  /** Whether the event restored the cancelled booking. */
  restored?: boolean
  /** Why the event moved it: the cause of the recovery whose offer was accepted. */
  why?: string | null
}

/**
 * Returns the message to the crew about a new or restored booking, and of a solo flight also to the student's instructors. One message
 * covers a new series.
 */
export function bookingCreated(booking: BookingTemplateData): Message {
  if (booking.restored) {
    const message = compose(booking, 'Booking restored', 'This booking is no longer cancelled.', null)
    return { ...message, data: { ...message.data, restored: true } }
  }
  const count = booking.seriesCount ?? 1
  const route = routeOf(booking)
  const remarks = [route, booking.why].filter(Boolean).join(' ') || null
  if (count === 1)
    return compose(booking, 'New booking', route ? 'A solo flight is booked.' : 'You are booked.', remarks)
  const remark = [firstOf(count), route].filter(Boolean).join(' ')
  const opening = route ? `${count} solo flights are booked. The first:` : `You are booked ${count} times. The first:`
  return compose(booking, `${count} new bookings`, opening, remark)
}

/** Returns where a solo flight goes, in a sentence; null for other bookings. */
function routeOf({ soloRoute }: BookingTemplateData): string | null {
  return soloRoute ? `Solo flight: ${soloRoute}.` : null
}

/** Returns the message to the crew about a changed booking, with its current facts; an instructor is told of a solo flight too. */
export function bookingChanged(booking: BookingTemplateData): Message {
  const route = routeOf(booking)
  const opening = `${route ? 'This' : 'Your'} booking was changed. It is now:`
  const message = compose(booking, 'Booking changed', opening, [route, booking.why].filter(Boolean).join(' ') || null)
  const { changes } = booking
  return changes.length > 0 ? { ...message, data: { ...message.data, changes } } : message
}

/** Returns the message to a person who was removed from the booking, with the time and the resource that it had with them. */
function bookingLeft(booking: BookingTemplateData): Message {
  const before = new Map(booking.changes.map((change) => [change.field, change.before]))
  const timeOf = (field: 'start' | 'end') => new Date((before.get(field) as string | undefined) ?? booking[field])
  const was = { ...booking, start: timeOf('start'), end: timeOf('end') }
  const left = before.has('resourceId') ? { ...was, resource: null } : was
  return compose(left, 'Booking cancelled', 'You are no longer on this booking.', booking.why ?? null)
}

/**
 * Returns the message to the crew about a cancelled booking, with the reason. To a person who was removed from a
 * booking, returns the message about that. One message covers all bookings of a series that were cancelled together.
 */
export function bookingCancelled(booking: BookingTemplateData): Message {
  if (booking.changes.length > 0) return bookingLeft(booking)
  const { reason, category, together = 1 } = booking.cancellation ?? {}
  const kind = category?.replaceAll('_', ' ')
  const why = reason && kind ? `${reason} (${kind})` : (reason ?? kind)
  const because = why ? `Reason: ${why}` : null
  if (together === 1) return compose(booking, 'Booking cancelled', 'This booking was cancelled.', because)
  const remark = [firstOf(together), because].filter(Boolean).join(' ')
  return compose(booking, `${together} bookings cancelled`, `${together} bookings were cancelled. The first:`, remark)
}

function firstOf(count: number): string {
  return `The first of ${count} bookings.`
}

/** Returns the message to the crew before the booking starts. */
export function bookingUpcoming(booking: BookingTemplateData): Message {
  return compose(booking, 'Coming up', 'Your booking is coming up.', null)
}

/** Returns the message to the people whose sign-off the flight still needs. */
export function reviewNeeded(booking: BookingTemplateData): Message {
  return compose(
    booking,
    'Please confirm',
    'The times of this flight are recorded. Please check them and confirm the close-out.',
    null,
  )
}

/**
 * Returns the message to a member without an account: desk staff confirmed the figures of a flight in the member's
 * name.
 */
export function confirmedOnBehalf(booking: BookingTemplateData & { figures: string }): Message {
  const opening =
    'The desk confirmed these figures in your name. If they are not right, please tell the school: a close-out can be ' +
    'opened again until it is paid.'
  return compose(booking, 'Signed for you', opening, booking.figures)
}

/** Returns the message to the crew: the figures of a flight were corrected after they were signed. */
export function flightCorrected(
  booking: BookingTemplateData & { signed: string; figures: string; reason: string },
): Message {
  const opening =
    'The figures of this flight were corrected after they were signed. If they are not right, you can object within 7 days.'
  const { signed, figures, reason } = booking
  return compose(booking, 'Flight corrected', opening, `Signed: ${signed} · Now: ${figures} · Reason: ${reason}`)
}

/**
 * Returns the message to desk staff and the pilot, two hours before a flight starts: the weather is, or may be, outside
 * the pilot's limits.
 */
export function belowMinimums(booking: BookingTemplateData & { findings: readonly string[] }): Message {
  const opening = 'The weather for this flight is, or may be, outside the limits of its pilot.'
  return compose(booking, 'Weather', opening, booking.findings.join('; '))
}

/** Returns the message to desk staff and the instructor about a flight that has not returned. */
export function flightOverdue(booking: BookingTemplateData & { expectedBackAt: Date }): Message {
  const { expectedBackAt, zone } = booking
  const opening = 'This flight has not come back. Please find out where it is.'
  return compose(booking, 'Overdue', opening, `Expected back ${momentInWords(expectedBackAt, zone)}.`)
}

/** Returns the message to the desk about a booking that nobody has ramped out. `noShowAt`: when it is cancelled. */
export function noShowNear(booking: BookingTemplateData & { noShowAt: Date }): Message {
  const { noShowAt, zone } = booking
  const opening = 'Nobody has ramped out this booking. Please find out where its people are.'
  const remark = `Unless something keeps it back, it is cancelled as a no-show at ${momentInWords(noShowAt, zone)}.`
  return compose(booking, 'Not ramped out', opening, remark)
}

/** Returns the message to admins and technicians about a flight that left with a grounded aircraft. */
export function leftGrounded(booking: BookingTemplateData): Message {
  return compose(booking, 'Left although grounded', 'This flight left on an aircraft that is grounded.', null)
}

/**
 * Returns the message to the instructors, or to the author, of a flight log: the figures of the flight were corrected,
 * and the log no longer agrees with them.
 */
export function logContradicts(booking: BookingTemplateData): Message {
  const opening =
    'The figures of this flight were corrected, and its flight log no longer agrees with them. Please check the log.'
  return compose(booking, 'Flight log to check', opening, null)
}

/** Returns the message to who teaches a student: the log of a solo flight says that it went elsewhere than the booking said. */
export function soloBeyond(booking: BookingTemplateData): Message {
  const opening =
    'The log of this solo flight has cross-country time or an airport that its booking did not say. Please check where it went.'
  return compose(booking, 'Solo flight beyond the plan', opening, routeOf(booking))
}

function compose(booking: BookingTemplateData, headline: string, opening: string, remark: string | null): Message {
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

/** The most names in a message. With more, the other facts would not fit on the screen of a phone. */
const NAMED = 4

function listOf(people: readonly string[]): string {
  if (people.length <= NAMED) return people.join(', ')
  return `${people.slice(0, NAMED).join(', ')} and ${people.length - NAMED} more`
}
