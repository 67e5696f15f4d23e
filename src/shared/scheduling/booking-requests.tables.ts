import { type InferEntity, p } from '@mikro-orm/core'
import { reservationTypes, seatSides } from '../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, set } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'
import type { Cents } from '../platform/kernel/units.ts'
import { bookingRequestStatuses } from './booking-requests/booking-request.states.ts'
import { collectionStyles } from './reservations.tables.ts'

/** The video call that a ground lesson needs: the provider and the topic. */
export interface RequestedMeeting {
  provider: 'zoom' | 'google'
  topic: string
}

/**
 * A request for a booking, on which the desk decides. The requester is a member (`requesterId`) or a guest, whose name and
 * email are columns here; `guestId` is set when the guest confirms by the mailed link. Only a hash of the link's token is
 * stored. The aircraft that a guest chose is held until `heldUntil`.
 */
export const BookingRequest = aggregate('booking_request', {
  exported: { without: ['meetingUrl', 'networkMark', 'seed', 'tokenExpiresAt', 'tokenHash'] },
  rights: 'no delete',
  /** Requests that the guest did not confirm by the mailed link are deleted, because they contain a name and an address. */
  kept: { days: 7, purge: 'purge_unconfirmed_requests' },
  readByBookingRules: true,
  columns: {
    ...tenantRecord,
    status: p.enum(bookingRequestStatuses),
    type: p.enum(reservationTypes),
    startsAt: instant(),
    endsAt: instant(),
    timeZoneName: p.text(),
    title: p.text(),
    notes: p.text().nullable(),
    meetingUrl: p.text().nullable(),
    meeting: p.json<RequestedMeeting>().nullable(),
    meetingError: p.text().nullable(),
    passengers: p.smallint().default(0),
    ifr: p.boolean().default(false),
    resourceId: p.integer().nullable(),
    /** The pool that the request names in place of a resource. */
    pool: p.text().nullable(),
    locationId: p.integer().nullable(),
    ratingId: p.integer().nullable(),
    requesterId: member.booked('booking_requests').nullable(),
    guestName: p.text().nullable(),
    guestEmail: p.text().nullable(),
    guestPhone: p.text().nullable(),
    guestId: p.integer().nullable(),
    offeringId: p.integer().nullable(),
    collectionStyle: p.enum(collectionStyles).default('close_out'),
    prepaidAmountCents: p.integer().$type<Cents>().nullable(),
    heldUntil: instant().nullable(),
    /** When a booking by desk staff ended the hold before the guest confirmed. */
    holdEndedAt: instant().nullable(),
    /** The keyed hash of the network that a guest's request came from; null once the request is confirmed. */
    networkMark: p.text().nullable(),
    seed: p.text().nullable(),
    tokenHash: p.text().nullable(),
    tokenExpiresAt: instant().nullable(),
    confirmedAt: instant().nullable(),
    decidedBy: member.act('work', 'others').nullable(),
    decidedAt: instant().nullable(),
    reason: p.text().nullable(),
    reservationId: p.integer().nullable(),
    invitedAt: instant().nullable(),
  },
})
export type BookingRequest = InferEntity<typeof BookingRequest>

/** One person on a request: a member or a guest, on a side, in order. */
export const BookingRequestSeat = set('booking_request_seat', {
  exported: true,
  columns: {
    ...tenantRecord,
    bookingRequestId: p.integer(),
    position: p.smallint(),
    side: p.enum(seatSides),
    membershipId: member.booked('booking_requests').nullable(),
    guestId: p.integer().nullable(),
  },
})

/** A flight that a school offers to the public, such as a discovery flight. `priceCents` is the price of the whole flight. */
export const Offering = aggregate('offering', {
  exported: true,
  columns: {
    ...tenantRecord,
    name: p.text(),
    description: p.text().nullable(),
    durationMinutes: p.integer(),
    priceCents: p.integer().$type<Cents>().nullable(),
    collectionStyle: p.enum(collectionStyles),
    active: p.boolean().default(true),
    /** The earliest and the latest start, in minutes after local midnight at the location of the aircraft. */
    earliestMinute: p.integer().nullable(),
    latestMinute: p.integer().nullable(),
    /** Flown between sunrise and sunset alone. */
    daylight: p.boolean().default(false),
  },
})
export type Offering = InferEntity<typeof Offering>

/** An aircraft on which an offering is flown. */
export const OfferingResource = set('offering_resource', {
  exported: true,
  columns: { ...tenantRecord, offeringId: p.integer(), resourceId: p.integer() },
})

/** An instructor who flies an offering. */
export const OfferingInstructor = set('offering_instructor', {
  exported: true,
  columns: { ...tenantRecord, offeringId: p.integer(), membershipId: member.paper('work', { once: ['offeringId'] }) },
})
