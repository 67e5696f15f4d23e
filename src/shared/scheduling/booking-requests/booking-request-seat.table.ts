import { defineEntity, p } from '@mikro-orm/core'
import { seatSides } from '../../fleet/resources/reservation-types.rules.ts'
import { tenantRecord } from '../../platform/db/columns.ts'

/** One person on a request: a member or a guest, on a side, in order. */
export const BookingRequestSeat = defineEntity({
  name: 'BookingRequestSeat',
  tableName: 'booking_request_seat',
  properties: {
    ...tenantRecord,
    bookingRequestId: p.integer(),
    position: p.smallint(),
    side: p.enum(seatSides),
    membershipId: p.integer().nullable(),
    guestId: p.integer().nullable(),
  },
})
