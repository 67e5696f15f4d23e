import { type ICalCalendarData, type ICalEventData, ICalEventStatus } from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import { tzlib_get_ical_block as zoneComponent } from 'timezones-ical-library'
import type { ReservationRow } from '../reservations/reservation.queries.ts'

/** What an event says beside its booking. */
export interface EventTerms {
  publicUrl: string
  /** How often the booking has changed: a calendar takes the event with the higher one. */
  sequence: number
  /** The service under the organization's name; never a person's address. */
  organizer: { name: string; email: string }
  /** Whether the notes are in it; they are for members. */
  notes: boolean
}

/**
 * Returns a booking as an event of a calendar, the same in a feed and in an invitation: it keeps its UID, so a moved
 * booking moves in the calendar. Times are local to the booking's zone, which the calendar describes.
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

/** What every calendar of the service says of itself; it describes the zones of its events (RFC 5545 §3.6.5). */
export const calendarTerms: Pick<ICalCalendarData, 'prodId' | 'timezone'> = {
  prodId: { company: 'Flightline', product: 'Bookings', language: 'EN' },
  timezone: { name: null, generator: (zone) => zoneComponent(zone)[0] ?? null },
}

/** Removes control characters except line breaks and tabs. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '')
}

/**
 * The library escapes addresses like texts, which other programs do not undo; these characters are percent-encoded
 * instead.
 */
function withoutSigns(url: string): string {
  return url.replaceAll(',', '%2C').replaceAll(';', '%3B').replaceAll('\\', '%5C')
}

function description({ type, seats, notes }: ReservationRow, withNotes: boolean): string {
  const people = seats.map(({ name }) => name).join(', ')
  return [`${type}: ${people}`, withNotes && notes].filter(Boolean).join('\n\n')
}
