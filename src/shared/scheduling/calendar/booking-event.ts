import { type ICalCalendarData, type ICalEventData, ICalEventStatus } from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import { tzlib_get_ical_block as zoneComponent } from 'timezones-ical-library'
import type { ReservationRow } from '../reservations/reservation.queries.ts'

/** The parts of an event that are not in its booking. */
export interface EventTerms {
  publicUrl: string
  /** The number of changes of the booking; a calendar keeps the event with the highest number. */
  sequence: number
  /** The service under the organization's name; never a person's email. */
  organizer: { name: string; email: string }
  /** Whether the event includes the notes, which are for members only. */
  notes: boolean
}

/**
 * Returns a booking as a calendar event, the same in a feed and in an invitation. The UID stays, so a moved booking
 * moves in the calendar. Times are local to the booking's zone, which the calendar defines.
 */
export function bookingEvent(booking: ReservationRow, terms: EventTerms): ICalEventData {
  const { publicUrl, sequence, organizer } = terms
  const url = booking.meeting_url ?? `${publicUrl}/reservations/${booking.id}`
  return {
    id: booking.uid ?? `reservation-${booking.id}@${new URL(publicUrl).hostname}`,
    sequence,
    timezone: booking.time_zone_name,
    start: Temporal.Instant.fromEpochMilliseconds(booking.starts_at.getTime()),
    end: Temporal.Instant.fromEpochMilliseconds(booking.ends_at.getTime()),
    stamp: booking.updated_at,
    lastModified: booking.updated_at,
    created: booking.created_at,
    summary: printable(booking.title),
    description: printable(description(booking, terms.notes)),
    location: printable([booking.resource?.name, booking.location?.name].filter(Boolean).join(', ')) || null,
    status: booking.cancelled_at ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    categories: [{ name: booking.type }],
    organizer,
    url: withoutSigns(url),
  }
}

/** The header of every calendar of the service; it defines the zones of its events (RFC 5545 §3.6.5). */
export const calendarTerms: Pick<ICalCalendarData, 'prodId' | 'timezone'> = {
  prodId: { company: 'Flightline', product: 'Bookings', language: 'EN' },
  timezone: { name: null, generator: (zone) => zoneComponent(zone)[0] ?? null },
}

/** Removes control characters except line breaks and tabs. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '')
}

/** Percent-encodes the characters of a URL that the library would escape as text, which other programs do not undo. */
function withoutSigns(url: string): string {
  return url.replaceAll(',', '%2C').replaceAll(';', '%3B').replaceAll('\\', '%5C')
}

function description({ type, seats, notes }: ReservationRow, withNotes: boolean): string {
  const people = seats.map(({ name }) => name).join(', ')
  return [`${type}: ${people}`, withNotes && notes].filter(Boolean).join('\n\n')
}
