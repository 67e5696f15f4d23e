import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import { cancelRequestsOf } from '../scheduling/booking-requests/decide-request.ts'
import { isRequiredCrew } from '../scheduling/reservations/reservation.rules.ts'
import { endWaitingOf } from '../scheduling/waitlist/end-waiting.ts'
import type { BookingAhead, LeavingMember } from './bookings-ahead.access.ts'
import { markCancelled } from './mark-cancelled.ts'

/**
 * Removes a leaving member from future bookings. A booking that needs the member is cancelled with category `administrative`. From any
 * other booking, the member's seat is deleted, with the member's stake. The member's pending booking requests are
 * cancelled.
 * Implements interface §Members, DELETE /users and DELETE /orgUsers/{id}.
 */
export async function unassignMember(
  tx: Tx,
  leaving: LeavingMember,
  bookings: readonly BookingAhead[],
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
): Promise<void> {
  await cancelRequestsOf(tx, leaving, by)
  await endWaitingOf(tx, leaving, by)
  for (const booking of bookings) {
    if (isRequiredCrew(booking.reservation.type, booking.sides, booking.side)) {
      const reason = 'Somebody on the booking has left the organization.'
      await markCancelled(tx, by, [booking.reservation], { reason, category: 'administrative' })
    } else {
      await freeSeat(tx, leaving, booking, by)
    }
  }
}

async function freeSeat(
  tx: Tx,
  { organizationId, orgUserId }: LeavingMember,
  { reservation: { id }, seatId, side, hasStake }: BookingAhead,
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
): Promise<void> {
  await tx.db.deleteFrom('seat').where('organization_id', '=', organizationId).where('id', '=', seatId).execute()
  if (hasStake) {
    // The stakes of the others stay: whoever leaves must not put more on them.
    await tx.db
      .deleteFrom('payer_stake')
      .where('organization_id', '=', organizationId)
      .where('reservation_id', '=', id)
      .where('membership_id', '=', orgUserId)
      .execute()
  }
  emit(tx, by, {
    kind: 'reservation.seat_freed',
    subject: { kind: 'reservation', id },
    reason: 'The member has left the organization.',
    before: { orgUserId, side },
  })
}
