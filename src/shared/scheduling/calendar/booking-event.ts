import { ICalCalendar, type ICalCalendarData, type ICalEventData, ICalEventStatus } from 'ical-generator'
import { Temporal } from 'temporal-polyfill'
import type { ReservationRow } from '../reservations/reservation.queries.ts'
import { zoneDefinition } from './zone-definition.rules.ts'

/** The parts of an event that are not in its booking. */
export interface EventTerms {
  publicUrl: string
  /** The number of changes of the booking; a calendar keeps the event with the highest number. */
  sequence: number
  /** The organization's name with the email of the service; never a person's email. */
  organizer: { name: string; email: string }
  /** Whether the event includes the notes, which are for members only. */
  notes: boolean
}

/**
 * Returns a booking as a calendar event, which is the same in a feed and in an invitation. The UID of a booking never
 * changes, so a moved booking moves in the calendar. Times are local times of the booking's zone, which the calendar defines.
 */
export function bookingEvent(booking: ReservationRow, terms: EventTerms): ICalEventData {
  const { publicUrl, sequence, organizer } = terms
  const url = booking.meeting_url ?? `${publicUrl}/reservations/${booking.id}`
  return {
    id: booking.uid,
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

/** A booking with its event. */
export interface CalendarEntry {
  booking: Pick<ReservationRow, 'time_zone_name' | 'starts_at' | 'ends_at'>
  event: ICalEventData
}

/**
 * Returns a calendar as text: its properties, the zones of its events, then the events (RFC 5545 §3.6). A calendar must have
 * at least one component, so a calendar without events contains the definition of `home`: the organization's zone, as of
 * `now`.
 */
export function calendarText(
  head: Pick<ICalCalendarData, 'method' | 'name' | 'ttl'>,
  entries: readonly CalendarEntry[],
  home: { zone: string; now: Date } | null = null,
): string {
  const calendar = new ICalCalendar({ ...head, prodId: { company: 'Flightline', product: 'Bookings', language: 'EN' } })
  for (const { event } of entries) calendar.createEvent(event)
  const zones = Map.groupBy(entries, ({ booking }) => booking.time_zone_name)
  const definitions = [...zones].map(([zone, ofZone]) => {
    const starts = ofZone.map(({ booking }) => booking.starts_at.getTime())
    const ends = ofZone.map(({ booking }) => booking.ends_at.getTime())
    return zoneDefinition(zone, new Date(Math.min(...starts)), new Date(Math.max(...ends)))
  })
  if (definitions.length === 0 && home) definitions.push(zoneDefinition(home.zone, home.now, home.now))
  // The library would write the zones before the last properties of the calendar, so they are inserted here instead.
  const text = calendar.toString().trimEnd()
  const components = text.search(/^(BEGIN:VEVENT|END:VCALENDAR)/m)
  return `${text.slice(0, components)}${definitions.join('')}${text.slice(components)}\r\n`
}

/** Removes control characters except line breaks and tabs. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '')
}

/**
 * Percent-encodes the characters of a URL that the library would escape with a backslash, because other programs do not
 * remove that escape.
 */
function withoutSigns(url: string): string {
  return url.replaceAll(',', '%2C').replaceAll(';', '%3B').replaceAll('\\', '%5C')
}

function description({ type, seats, notes }: ReservationRow, withNotes: boolean): string {
  const people = seats.map(({ name }) => name).join(', ')
  return [`${type}: ${people}`, withNotes && notes].filter(Boolean).join('\n\n')
}
