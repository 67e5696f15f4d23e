import { z } from 'zod'
import { meetingProviders } from '../../../shared/communication/communication.tables.ts'
import { reservationTypes } from '../../../shared/fleet/resources/reservation-types.rules.ts'
import { findRating } from '../../../shared/qualification/ratings.rules.ts'
import type { BookingRequestRow } from '../../../shared/scheduling/booking-requests/booking-request.queries.ts'
import { bookingRequestStatuses } from '../../../shared/scheduling/booking-requests/booking-request.states.ts'
import { collectionStyles } from '../../../shared/scheduling/reservations.tables.ts'
import { iso } from '../../http/iso.ts'
import { Cents, Id, Instant, NamedReference, Person, Reference } from '../../http/schemas.ts'
import { LocationReference } from '../../identity/locations/location.view.ts'
import { Rating } from '../../qualification/rating.view.ts'
import { PersonnelView, personnelView } from '../reservations/personnel.view.ts'
import { BookedResource } from '../reservations/reservation.view.ts'

/** A booking request, for desk staff and its requester. */
export const BookingRequest = z
  .object({
    id: Id,
    status: z.enum(bookingRequestStatuses),
    title: z.string(),
    type: z.enum(reservationTypes),
    start: Instant,
    end: Instant,
    timeZoneName: z.string(),
    notes: z.string().nullable(),
    resource: BookedResource.nullable(),
    pool: z
      .string()
      .nullable()
      .describe('The pool that the request names in place of a resource; null when it names none'),
    location: LocationReference.nullable(),
    rating: Rating.nullable(),
    personnel: PersonnelView,
    requester: Person.nullable().describe('The member who made the request; null for a guest'),
    guest: z
      .object({
        guestId: Id.nullable(),
        name: z.string(),
        email: z.string(),
        phone: z.string().nullable(),
      })
      .nullable()
      .describe('The guest who made the request; null for a member, and until the guest has confirmed it by mail'),
    offering: NamedReference.nullable(),
    collectionStyle: z.enum(collectionStyles),
    prepaidAmountCents: Cents.nullable(),
    heldUntil: Instant.nullable().describe('Until when the aircraft is held for the guest; null when it is not held'),
    confirmedAt: Instant.nullable().describe(
      'When the guest confirmed the request by the mailed link; null for a member',
    ),
    decidedBy: Person.nullable(),
    decidedAt: Instant.nullable(),
    reason: z.string().nullable(),
    reservation: Reference.nullable(),
    passengers: z.int().describe('The number of people aboard who are not on the booking'),
    ifr: z.boolean().describe('Whether the flight is under instrument flight rules'),
    meetingUrl: z.string().nullable(),
    meeting: z.object({ provider: z.enum(meetingProviders), topic: z.string() }).nullable(),
    meetingError: z
      .string()
      .nullable()
      .describe('Why the video call could not be created; the request is approved all the same. null: no error'),
    invitedAt: Instant.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'BookingRequest' })

/**
 * Returns a request as the response shows it. The name, email and phone of a guest are null until the guest has
 * confirmed by mail.
 * Implements interface §Booking requests.
 */
export function bookingRequestView(row: BookingRequestRow): z.input<typeof BookingRequest> {
  const unconfirmed = row.status === 'awaiting_confirmation'
  return {
    id: row.id,
    status: row.status,
    title: row.title,
    type: row.type,
    start: iso(row.starts_at),
    end: iso(row.ends_at),
    timeZoneName: row.time_zone_name,
    notes: unconfirmed ? null : row.notes,
    resource: row.resource,
    pool: row.pool,
    location: row.location,
    rating: findRating(row.rating_id),
    personnel: personnelView(row.seats, !unconfirmed),
    requester: row.requester,
    guest:
      row.guest_email === null || unconfirmed
        ? null
        : { guestId: row.guest_id, name: row.guest_name ?? '', email: row.guest_email, phone: row.guest_phone },
    offering: row.offering,
    collectionStyle: row.collection_style,
    prepaidAmountCents: row.prepaid_amount_cents,
    heldUntil: iso(row.held_until),
    confirmedAt: iso(row.confirmed_at),
    decidedBy: row.decided_by,
    decidedAt: iso(row.decided_at),
    reason: row.reason,
    reservation: row.reservation_id === null ? null : { id: row.reservation_id },
    passengers: row.passengers,
    ifr: row.ifr,
    meetingUrl: row.meeting_url,
    meeting: row.meeting,
    meetingError: row.meeting_error,
    invitedAt: iso(row.invited_at),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
