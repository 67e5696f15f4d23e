import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { cancelRequestsOf } from '../scheduling/booking-requests/decide-request.ts'
import { recordEvent } from '../scheduling/reservations/record-event.ts'
import { isRequiredCrew } from '../scheduling/reservations/required-crew.rules.ts'
import { markCancelled } from './mark-cancelled.ts'

/** Who leaves, and of which organization. */
interface Leaving {
  organizationId: number
  orgUserId: number
}

/** The live bookings that a member sits on, not yet over and not begun to be flown or briefed; locked, by start. */
export async function findBookingsAhead(tx: Tx, { organizationId, orgUserId }: Leaving) {
  return tx.db
    .selectFrom('reservation')
    .innerJoin('seat', 'seat.reservation_id', 'reservation.id')
    .select([
      'reservation.id',
      'reservation.title',
      'reservation.type',
      'reservation.starts_at',
      'reservation.ends_at',
      'seat.id as seat_id',
      'seat.side',
    ])
    .where('reservation.organization_id', '=', organizationId)
    .where('seat.organization_id', '=', organizationId)
    .where('seat.membership_id', '=', orgUserId)
    .where('reservation.live', '=', true)
    .where('reservation.ends_at', '>', tx.now)
    .where('reservation.ramped_out_at', 'is', null)
    .where('reservation.briefing_tenths', 'is', null)
    .orderBy('reservation.starts_at')
    .orderBy('reservation.id')
    .forUpdate('reservation')
    .execute()
}

type BookingAhead = Awaited<ReturnType<typeof findBookingsAhead>>[number]

/**
 * Takes a member who leaves off the bookings ahead of them: a booking that cannot go on without them is cancelled as
 * `administrative`, any other loses their seat, and with it the stakes that counted on them. What they have asked for and
 * nobody has decided is cancelled.
 */
export async function unassignMember(
  tx: Tx,
  leaving: Leaving,
  bookings: readonly BookingAhead[],
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
): Promise<void> {
  await cancelRequestsOf(tx, leaving, by)
  for (const booking of bookings) {
    const seats = await tx.db.selectFrom('seat').select('side').where('reservation_id', '=', booking.id).execute()
    const sides = seats.map((seat) => seat.side)
    if (isRequiredCrew(booking.type, sides, booking.side)) {
      const reason = 'Somebody on the booking has left the organization.'
      await markCancelled(tx, by, [booking.id], { reason, category: 'administrative' })
    } else {
      await freeSeat(tx, leaving, booking, by)
    }
  }
}

async function freeSeat(
  tx: Tx,
  { orgUserId }: Leaving,
  booking: BookingAhead,
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
): Promise<void> {
  await tx.db.deleteFrom('seat').where('id', '=', booking.seat_id).execute()
  // Shares were agreed on with the one who leaves; without them the organization's own rule holds again.
  const stake = await tx.db
    .selectFrom('payer_stake')
    .select('id')
    .where('reservation_id', '=', booking.id)
    .where('membership_id', '=', orgUserId)
    .executeTakeFirst()
  if (stake) await tx.db.deleteFrom('payer_stake').where('reservation_id', '=', booking.id).execute()
  recordEvent(tx, by, booking.id, {
    action: 'seat_freed',
    reason: 'The member has left the organization.',
    before: { orgUserId, side: booking.side },
  })
}
