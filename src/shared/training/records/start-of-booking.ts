import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Invalid } from '../../platform/kernel/errors.ts'

/**
 * Returns the start of a lesson's booking, or now when it starts later.
 * @throws Invalid when there is no such booking, it is cancelled, or the student is not on it
 */
export async function startOfBooking(
  tx: Tx,
  { organizationId }: Actor,
  student: { membershipId: number },
  reservationId: number,
): Promise<Date> {
  const booking = await tx.db
    .selectFrom('reservation')
    .select(['starts_at', 'cancelled_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', reservationId)
    .executeTakeFirst()
  if (!booking) throw new Invalid('reservationId: there is no such booking')
  if (booking.cancelled_at) throw new Invalid('reservationId: the booking is cancelled')
  const seat = await tx.db
    .selectFrom('seat')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .where('membership_id', '=', student.membershipId)
    .executeTakeFirst()
  if (!seat) throw new Invalid('reservationId: the student is not on this booking')
  return booking.starts_at < tx.now ? booking.starts_at : tx.now
}
