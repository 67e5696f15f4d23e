import { notify } from '../communication/notifications/notify.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { Reservation } from '../scheduling/reservations/reservation.entity.ts'

/**
 * Deletes every signature on a booking, restarts its review reminders and notifies those who must sign again.
 * Implements interface §Reservations rule 7.
 */
export async function clearSignatures(
  tx: Tx,
  by: { organizationId: number; orgUserId: number },
  reservationId: number,
): Promise<void> {
  const { organizationId } = by
  const reservation = await tx.em.findOneOrFail(Reservation, { id: reservationId, organizationId })
  tx.em.assign(reservation, { signedOffAt: null, signaturesClearedAt: tx.now, reviewReminderStage: 0 })
  await tx.db
    .deleteFrom('confirmation')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .execute()
  notify(tx, { organizationId, kind: 'review_needed', subjectId: reservationId, causedBy: by.orgUserId })
}
