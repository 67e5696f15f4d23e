import type { Message } from './message.rules.ts'
import { spanInWords } from './when.rules.ts'

/** A booking of one person that a bulk changed. */
export interface ChangedBooking {
  id: number
  title: string
  zone: string
  start: string
  end: string
  /** What is other now; null when it is cancelled. */
  after: { start?: string; end?: string } | null
}

/** The most bookings that a mail lists. */
const LISTED = 50

/** To each person of the bookings that were changed together: one message of all of theirs. */
export function bookingsChanged({
  operationId,
  bookings,
}: {
  operationId: number
  bookings: readonly ChangedBooking[]
}): Message {
  const count = bookings.length
  const lines = bookings.slice(0, LISTED).map(lineOf)
  const more = count > LISTED ? [`And ${count - LISTED} more.`] : []
  const title = count === 1 ? `Booking changed: ${bookings[0]!.title}` : `${count} of your bookings changed`
  return {
    title,
    body: lines.slice(0, 3).join(' · '),
    data: { operationId, reservationIds: bookings.map(({ id }) => id) },
    mail: { paragraphs: ['The school changed these bookings of yours:', ...lines, ...more], action: null },
  }
}

function lineOf({ title, zone, start, end, after }: ChangedBooking): string {
  const was = spanInWords(new Date(start), new Date(end), zone)
  if (after === null) return `${title}, ${was}: cancelled`
  if (!after.start || !after.end) return `${title}, ${was}: another aircraft or other people`
  return `${title}, ${was}: now ${spanInWords(new Date(after.start), new Date(after.end), zone)}`
}

/** To owners and admins: many bookings were cancelled at once, or changed without telling anybody. */
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
  const told = silent ? ' Nobody on them was told.' : ''
  const text = `${by} ${cancelled ? 'cancelled' : 'changed'} ${bookings} bookings at once.${told}`
  return {
    title: `${bookings} bookings ${cancelled ? 'cancelled' : 'changed'} at once`,
    body: text,
    data: { operationId: id },
    mail: { paragraphs: [text], action: null },
  }
}
