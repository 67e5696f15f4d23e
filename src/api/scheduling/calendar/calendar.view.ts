import { ICalCalendar, ICalEventStatus } from 'ical-generator'
import type { Calendar } from '../../../shared/scheduling/calendar/calendar.queries.ts'
import type { ReservationRow } from '../../../shared/scheduling/reservations/reservation.queries.ts'

/** How often a calendar client should refresh, in seconds. */
const REFRESH_SECONDS = 900

/**
 * Returns a member's bookings as iCalendar. Times are UTC, which clients show in their own zone; an event keeps its id,
 * so that a moved booking moves in the calendar.
 */
export function calendarView({ organization, bookings }: Calendar, publicUrl: string): string {
  const host = new URL(publicUrl).hostname
  const calendar = new ICalCalendar({
    name: asProperty(organization),
    prodId: { company: 'Flightline', product: 'Bookings', language: 'EN' },
    ttl: REFRESH_SECONDS,
  })
  for (const booking of bookings) {
    calendar.createEvent({
      id: `reservation-${booking.id}@${host}`,
      start: booking.starts_at,
      end: booking.ends_at,
      stamp: booking.updated_at,
      lastModified: booking.updated_at,
      created: booking.created_at,
      summary: printable(booking.title),
      description: printable(description(booking)),
      location: printable([booking.resource?.name, booking.location?.name].filter(Boolean).join(', ')) || null,
      status: ICalEventStatus.CONFIRMED,
      ...(booking.meeting_url && { url: withoutSigns(booking.meeting_url) }),
    })
  }
  return calendar.toString()
}

/** Removes control characters except line breaks and tabs. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '')
}

/** The library escapes every text except the calendar's own name. */
function asProperty(text: string): string {
  return printable(text)
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
}

/**
 * The library escapes addresses like texts, which other programs do not undo; these characters are percent-encoded
 * instead.
 */
function withoutSigns(url: string): string {
  return url.replaceAll(',', '%2C').replaceAll(';', '%3B').replaceAll('\\', '%5C')
}

function description({ type, seats, notes }: ReservationRow): string {
  const people = seats.map(({ name }) => name).join(', ')
  return [`${type}: ${people}`, notes].filter(Boolean).join('\n\n')
}
