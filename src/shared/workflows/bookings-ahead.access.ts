import { LockMode } from '@mikro-orm/core'
import type { Side } from '../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../platform/db/database.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { Reservation } from '../scheduling/reservations.tables.ts'

/** A member who leaves, and the organization. */
export interface LeavingMember {
  organizationId: number
  orgUserId: number
}

/** A future booking of a member: its entity, the member's seat, and the sides of all seats. */
export interface BookingAhead {
  reservation: Reservation
  seatId: number
  side: Side
  sides: Side[]
  /** Whether a payer's stake names the member. */
  hasStake: boolean
}

/**
 * Locks and returns the member's live bookings that have not ended and have neither a ramp-out nor a briefing, ordered by start. The
 * caller holds the lock that prevents new bookings of the member. Runs three statements for any number of bookings. Reads the seats
 * after locking the bookings, because another member may have left a booking meanwhile.
 */
export async function lockBookingsAhead(tx: Tx, { organizationId, orgUserId }: LeavingMember): Promise<BookingAhead[]> {
  const seated = await tx.db
    .selectFrom('seat')
    .select('reservation_id')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('live', '=', true)
    .where('ends_at', '>', tx.now)
    .execute()
  if (seated.length === 0) return []
  const reservations = await tx.em.find(
    Reservation,
    {
      id: { $in: seated.map((seat) => seat.reservation_id) },
      organizationId,
      live: true,
      endsAt: { $gt: tx.now },
      rampedOutAt: null,
      briefingTenths: null,
    },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { startsAt: 'asc', id: 'asc' } },
  )
  const ids = reservations.map(({ id }) => id)
  const seats = ids.length > 0 ? await findSeats(tx, { organizationId, orgUserId }, ids) : []
  return reservations.flatMap((reservation) => {
    const all = seats.filter((seat) => seat.reservation_id === reservation.id)
    const own = all.find((seat) => seat.membership_id === orgUserId)
    if (!own) return []
    const { id: seatId, side, has_stake: hasStake } = own
    return [{ reservation, seatId, side, sides: all.map((seat) => seat.side), hasStake }]
  })
}

/** Returns the flights on which a member is out now. */
export function findOut(
  db: Db,
  { organizationId, orgUserId }: LeavingMember,
): Promise<{ id: number; title: string }[]> {
  return db
    .selectFrom('seat as s')
    .innerJoin('reservation as r', (join) =>
      join.onRef('r.organization_id', '=', 's.organization_id').onRef('r.id', '=', 's.reservation_id'),
    )
    .select(['r.id', 'r.title'])
    .where('s.organization_id', '=', organizationId)
    .where('s.membership_id', '=', orgUserId)
    .where('s.live', '=', true)
    .where('r.ramped_out_at', 'is not', null)
    .where('r.ramped_in_at', 'is', null)
    .orderBy('r.id')
    .execute()
}

function findSeats(tx: Tx, { organizationId, orgUserId }: LeavingMember, ids: number[]) {
  return tx.db
    .selectFrom('seat')
    .select((eb) => [
      'id',
      'reservation_id',
      'membership_id',
      'side',
      eb
        .exists(
          eb
            .selectFrom('payer_stake as p')
            .select('p.id')
            .whereRef('p.organization_id', '=', 'seat.organization_id')
            .whereRef('p.reservation_id', '=', 'seat.reservation_id')
            .where('p.membership_id', '=', orgUserId),
        )
        .$castTo<boolean>()
        .as('has_stake'),
    ])
    .where('organization_id', '=', organizationId)
    .where('reservation_id', 'in', ids)
    .execute()
}
