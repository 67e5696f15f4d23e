import { ICalCalendar, ICalEventStatus } from 'ical-generator'
import type { Calendar } from '../../shared/reservations/calendar-feed.ts'
import type { ReservationRow } from '../../shared/reservations/reservation.queries.ts'

/** How often a calendar is asked to look again. */
const REFRESH_SECONDS = 900

/**
 * A member's bookings as iCalendar. Times are UTC, which every client shows in its own zone; an event keeps its id, so
 * a booking that moved moves in the calendar too.
 */
export function calendarView({ organization, bookings }: Calendar, publicUrl: string): string {
  const host = new URL(publicUrl).hostname
  const calendar = new ICalCalendar({
    name: organization,
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
      summary: booking.title,
      description: description(booking),
      location: [booking.resource?.name, booking.location?.name].filter(Boolean).join(', ') || null,
      status: ICalEventStatus.CONFIRMED,
      ...(booking.meeting_url && { url: booking.meeting_url }),
    })
  }
  return calendar.toString()
}

function description({ type, seats, notes }: ReservationRow): string {
  const people = seats.map(({ name }) => name).join(', ')
  return [`${type}: ${people}`, notes].filter(Boolean).join('\n\n')
}
