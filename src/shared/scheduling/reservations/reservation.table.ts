import { defineEntity, p } from '@mikro-orm/core'
import { seatSides } from '../../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/**
 * A person on a booking: a member or a guest, on a side, in order. It repeats the booking's time and `live` (a foreign
 * key with ON UPDATE CASCADE keeps them equal), so that the database can refuse two live bookings of one person at one
 * time (exclusion constraint `seat_person_clash`).
 */
export const Seat = defineEntity({
  name: 'Seat',
  tableName: 'seat',
  properties: {
    ...tenantRecord,
    reservationId: p.integer(),
    side: p.enum(seatSides),
    position: p.smallint(),
    membershipId: p.integer().nullable(),
    guestId: p.integer().nullable(),
    startsAt: instant(),
    endsAt: instant(),
    live: p.boolean().default(true),
  },
})
