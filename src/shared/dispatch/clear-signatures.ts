import { notify } from '../communication/notifications/notify.ts'
import type { Tx } from '../platform/db/transaction.ts'
import type { Reservation } from '../scheduling/reservations/reservation.entity.ts'

/**
 * Deletes every signature on a locked booking, restarts its review reminders and notifies those who must sign again.
 * Implements interface §Reservations rule 7.
 */
export async function clearSignatures(tx: Tx, by: { orgUserId: number }, reservation: Reservation): Promise<void> {
  const { organizationId, id } = reservation
  tx.em.assign(reservation, { signedOffAt: null, signaturesClearedAt: tx.now, reviewReminderStage: 0 })
  await tx.db
    .deleteFrom('confirmation')
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', id)
    .execute()
  notify(tx, { organizationId, kind: 'review_needed', subjectId: id, causedBy: by.orgUserId })
}
