import {
  bookingEvent,
  calendarText,
  type EventTerms,
  printable,
} from '../../../shared/scheduling/calendar/booking-event.ts'
import type { Calendar } from '../../../shared/scheduling/calendar/calendar.queries.ts'

/** How often a calendar client should refresh, in seconds. */
const REFRESH_SECONDS = 900

/** Returns a member's bookings as an iCalendar text. */
export function calendarView(
  { organization, zone, bookings, changes }: Calendar,
  terms: Pick<EventTerms, 'publicUrl' | 'organizer'> & { now: Date },
): string {
  const entries = bookings.map((booking) => {
    const sequence = changes.get(booking.id)?.sequence ?? 0
    return { booking, event: bookingEvent(booking, { ...terms, sequence, notes: true }) }
  })
  return calendarText({ name: asProperty(organization), ttl: REFRESH_SECONDS }, entries, { zone, now: terms.now })
}

/** Returns the calendar's name, escaped. The library escapes all texts except this one. */
function asProperty(text: string): string {
  return printable(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
}
