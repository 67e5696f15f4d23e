import type { Message } from './message.rules.ts'
import { UNDO } from './offer.rules.ts'
import { spanInWords } from './when.rules.ts'

/** A booking of the recipient that a bulk operation changed. */
export interface ChangedBooking {
  id: number
  title: string
  zone: string
  start: string
  end: string
  /** The new start and end of the booking; empty when they did not change; null when the booking is cancelled. */
  after: { start?: string; end?: string } | null
  /** Whether the recipient stays on the booking, is new on it, or is no longer on it. */
  seat: 'kept' | 'gained' | 'lost'
  /** The name of the new resource: null when the booking has none any more, and absent when it stays. */
  resource?: string | null
  /** The names of the other people who are new on the booking, and of those who are no longer on it. */
  joined: readonly string[]
  left: readonly string[]
  /** How the recipient agreed to the change, as the desk recorded it; absent when nobody was asked. */
  agreed?: string | undefined
}

/** The most bookings that a mail lists. */
const LISTED = 50

/** Returns the message to one person about all of their bookings that a bulk operation changed. */
export function bookingsChanged({
  operationId,
  bookings,
  by = 'The desk',
  why = [],
}: {
  operationId: number
  bookings: readonly ChangedBooking[]
  /** Who changed them. */
  by?: string
  /** The cause and the reason of the change. */
  why?: readonly string[]
}): Message {
  const count = bookings.length
  const lines = bookings.slice(0, LISTED).map(lineOf)
  const more = count > LISTED ? [`And ${count - LISTED} more.`] : []
  const agreed = [...new Set(bookings.flatMap((one) => one.agreed ?? []))]
  const remarks = [...why, ...agreed.map((how) => `${by} recorded that you agreed (${how}). ${UNDO}`)]
  const title = count === 1 ? `Booking changed: ${bookings[0]!.title}` : `${count} of your bookings changed`
  return {
    title,
    body: [...lines.slice(0, 3), ...remarks].join(' · '),
    data: { operationId, reservationIds: bookings.map(({ id }) => id) },
    mail: { paragraphs: ['The school changed these bookings of yours:', ...lines, ...more, ...remarks], action: null },
  }
}

/** A booking at risk: it would not be accepted if it were made now. */
export interface RiskyBooking {
  id: number
  title: string
  zone: string
  start: Date
  end: Date
  problems: readonly string[]
}

/**
 * Returns the message to dispatchers, and to the people on the bookings, about bookings that have become at risk, with
 * the problems of each.
 */
export function bookingsAtRisk({ bookings }: { bookings: readonly RiskyBooking[] }): Message {
  const count = bookings.length
  const lines = bookings.slice(0, LISTED).map((one) => `${atRiskLine(one)}: ${one.problems.join(' ')}`)
  const more = count > LISTED ? [`And ${count - LISTED} more.`] : []
  const [first] = bookings
  return {
    title: count === 1 ? `Booking at risk: ${first!.title}` : `${count} bookings are at risk`,
    body: count === 1 ? first!.problems.join(' ') : lines.slice(0, 3).join(' · '),
    data: { reservationIds: bookings.map(({ id }) => id) },
    mail: {
      paragraphs: ['These bookings would no longer be accepted as they are:', ...lines, ...more],
      action: null,
    },
  }
}

function atRiskLine({ title, zone, start, end }: RiskyBooking): string {
  return `${title}, ${spanInWords(start, end, zone)}`
}

function lineOf(booking: ChangedBooking): string {
  const { title, zone, start, end, after, seat, resource, joined, left } = booking
  const was = `${title}, ${spanInWords(new Date(start), new Date(end), zone)}`
  if (after === null) return `${was}: cancelled`
  if (seat === 'lost') return `${was}: you are no longer on it`
  const isMoved = after.start !== undefined && after.end !== undefined
  const changes = [
    seat === 'gained' ? 'you are on it now' : '',
    isMoved ? `now ${spanInWords(new Date(after.start!), new Date(after.end!), zone)}` : '',
    resource === null ? 'without a resource' : resource && `on ${resource}`,
    joined.length > 0 ? `with ${joined.join(', ')}` : '',
    left.length > 0 ? `without ${left.join(', ')}` : '',
  ]
  return `${was}: ${changes.filter(Boolean).join(', ') || 'changed'}`
}

/**
 * Returns the message to owners and admins about many bookings that were cancelled together, or that were changed
 * without notifying anybody.
 */
export function bulkDone({
  id,
  by,
  cancelled,
  silent,
  bookings,
}: {
  id: number
  by: string
  cancelled: boolean
  silent: boolean
  bookings: number
}): Message {
  const told = silent ? ' The people on them were not notified.' : ''
  const text = `${by} ${cancelled ? 'cancelled' : 'changed'} ${bookings} bookings at once.${told}`
  return {
    title: `${bookings} bookings ${cancelled ? 'cancelled' : 'changed'} at once`,
    body: text,
    data: { operationId: id },
    mail: { paragraphs: [text], action: null },
  }
}
