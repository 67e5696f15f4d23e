import { ICalCalendar } from 'ical-generator'
import {
  bookingEvent,
  calendarTerms,
  type EventTerms,
  printable,
} from '../../../shared/scheduling/calendar/booking-event.ts'
import type { Calendar } from '../../../shared/scheduling/calendar/calendar.queries.ts'

/** How often a calendar client should refresh, in seconds. */
const REFRESH_SECONDS = 900

/** Returns a member's bookings as iCalendar. */
export function calendarView(
  { organization, bookings, changes }: Calendar,
  terms: Pick<EventTerms, 'publicUrl' | 'organizer'>,
): string {
  const calendar = new ICalCalendar({
    name: asProperty(organization),
    ...calendarTerms,
    ttl: REFRESH_SECONDS,
  })
  for (const booking of bookings) {
    calendar.createEvent(
      bookingEvent(booking, { ...terms, sequence: changes.get(booking.id)?.sequence ?? 0, notes: true }),
    )
  }
  return `${calendar.toString().trimEnd()}\r\n`
}

/** Returns the calendar's name escaped. The library escapes every other text. */
function asProperty(text: string): string {
  return printable(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
}
