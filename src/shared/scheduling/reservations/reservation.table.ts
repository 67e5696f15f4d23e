import { defineEntity, p } from '@mikro-orm/core'
import { type Compilable, sql } from 'kysely'
import { type Side, seatSides } from '../../fleet/resources/reservation-types.rules.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { Db } from '../../platform/db/database.ts'

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

/** A seat of new bookings: a member or a guest. */
export interface SeatToInsert {
  side: Side
  orgUserId: number | null
  guestId: number | null
}

/**
 * Inserts bookings with their seats in one statement. `made` inserts the bookings and returns the columns that seats
 * repeat; each booking gets the same seats in the same order. Returns the ids of the bookings in the order of
 * insertion.
 */
export async function insertWithSeats(
  db: Db,
  made: Compilable<{ id: number; organization_id: number; starts_at: Date; ends_at: Date }>,
  seats: readonly SeatToInsert[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with made as (${made}),
    seated as (
      insert into seat (organization_id, reservation_id, side, position, membership_id, guest_id, starts_at, ends_at)
      select r.organization_id, r.id, s.side, s.position - 1, s.membership_id, s.guest_id, r.starts_at, r.ends_at
      from made r
      cross join unnest(${seats.map((seat) => seat.side)}::text[], ${seats.map((seat) => seat.orgUserId)}::int[],
        ${seats.map((seat) => seat.guestId)}::int[]) with ordinality as s (side, membership_id, guest_id, position)
      order by r.id, s.position)
    select id from made order by id`.execute(db)
  return rows.map(({ id }) => id)
}
