import { ICalAttendeeStatus, ICalCalendarMethod } from 'ical-generator'
import type { Invitation } from '../../platform/adapters/mail/mailer.port.ts'
import type { ReservationRow } from '../reservations/reservation.queries.ts'
import { bookingEvent, calendarText, type EventTerms } from './booking-event.ts'

/**
 * Returns one person's calendar invitation to a booking, or a cancellation when the booking is cancelled (RFC 5546). It
 * contains no emails except those of the receiver and the service.
 */
export function invitationTo(
  booking: ReservationRow,
  receiver: { name: string; address: string },
  terms: EventTerms,
): Invitation {
  const method = booking.cancelled_at ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST
  const attendee = { name: receiver.name, email: receiver.address, rsvp: false, status: ICalAttendeeStatus.ACCEPTED }
  const event = { ...bookingEvent(booking, terms), attendees: [attendee] }
  return { method, content: calendarText({ method }, [{ booking, event }]) }
}
