import { cancelPrepaid } from '../billing/invoices/cancel-prepaid.ts'
import { notify } from '../communication/notifications/notify.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { recordEvent } from '../scheduling/reservations/record-event.ts'

/**
 * Marks locked, cancellable bookings as cancelled: takes back prepaid charges, writes the audit rows and notifies the
 * crew. Several bookings get one notification, for the first of them.
 */
export async function markCancelled(
  tx: Tx,
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
  reservationIds: readonly number[],
  { reason, category }: { reason: string; category: string },
): Promise<void> {
  const [first] = reservationIds
  if (first === undefined) return
  const { owedBackCents } = await cancelPrepaid(tx, by, reservationIds)
  await tx.db
    .updateTable('reservation')
    .set({
      live: false,
      cancelled_at: tx.now,
      cancelled_by: by.orgUserId,
      cancellation_reason: reason,
      cancellation_category: category,
      updated_at: tx.now,
    })
    .where('organization_id', '=', by.organizationId)
    .where('id', 'in', reservationIds)
    .execute()
  for (const id of reservationIds) {
    recordEvent(tx, by, id, {
      action: 'cancelled',
      reason,
      after: { category, ...(owedBackCents > 0 && { owedBackCents }) },
    })
  }
  notify(tx, {
    organizationId: by.organizationId,
    kind: 'reservation_cancelled',
    subjectId: first,
    causedBy: by.orgUserId,
  })
}
