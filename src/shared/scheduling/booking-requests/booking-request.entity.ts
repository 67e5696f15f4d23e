import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { reservationTypes } from '../../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { collectionStyles } from '../reservations/reservation.entity.ts'
import { bookingRequestStatuses } from './booking-request.states.ts'

/** The video call that a ground lesson needs: the provider and the topic. */
export interface RequestedMeeting {
  provider: 'zoom' | 'google'
  topic: string
}

/**
 * A request for a booking, which the desk decides. The requester is a member (`requesterId`) or a guest, whose name and
 * email are columns here; `guestId` is set once the guest opened the mailed link. Only a hash of the link's token is
 * stored. The aircraft that a guest chose is held until `heldUntil`.
 */
export const BookingRequest = defineEntity({
  name: 'BookingRequest',
  tableName: 'booking_request',
  properties: {
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
    locationId: p.integer().nullable(),
    ratingId: p.integer().nullable(),
    requesterId: p.integer().nullable(),
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
    /** The keyed hash of the network that a guest's request came from; null once it is confirmed. */
    networkMark: p.text().nullable(),
    seed: p.text().nullable(),
    tokenHash: p.text().nullable(),
    tokenExpiresAt: instant().nullable(),
    confirmedAt: instant().nullable(),
    decidedBy: p.integer().nullable(),
    decidedAt: instant().nullable(),
    reason: p.text().nullable(),
    reservationId: p.integer().nullable(),
    invitedAt: instant().nullable(),
  },
})
export type BookingRequest = InferEntity<typeof BookingRequest>
