import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { cancelRequestsOf } from '../scheduling/booking-requests/decide-request.ts'
import { recordEvent } from '../scheduling/reservations/record-event.ts'
import { isRequiredCrew } from '../scheduling/reservations/required-crew.rules.ts'
import { markCancelled } from './mark-cancelled.ts'

/** The member who leaves, and the organization. */
interface LeavingMember {
  organizationId: number
  orgUserId: number
}

/** Returns the member's live bookings that have not ended, been ramped out or been briefed; locked, by start. */
export async function findBookingsAhead(tx: Tx, { organizationId, orgUserId }: LeavingMember) {
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
 * Takes a leaving member off future bookings. A booking that needs them is cancelled as `administrative`; any other
 * loses their seat and the stakes that include them. Their pending booking requests are cancelled.
 */
export async function unassignMember(
  tx: Tx,
  leaving: LeavingMember,
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
  { orgUserId }: LeavingMember,
  booking: BookingAhead,
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
): Promise<void> {
  await tx.db.deleteFrom('seat').where('id', '=', booking.seat_id).execute()
  // Stakes were agreed with the leaving member; without them the organization's charge rules apply again.
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
