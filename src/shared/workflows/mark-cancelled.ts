import { cancelPrepaid } from '../billing/invoices/cancel-prepaid.ts'
import type { Actor } from '../platform/authz/actor.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { emit } from '../platform/events/emit.ts'
import type { Reservation } from '../scheduling/reservations/reservation.entity.ts'

/**
 * Marks locked, cancellable bookings as cancelled, and takes back prepaid charges. Several bookings are one notification
 * to their crew, of the first of them.
 */
export async function markCancelled(
  tx: Tx,
  by: Pick<Actor, 'organizationId' | 'orgUserId'>,
  reservations: readonly Reservation[],
  { reason, category }: { reason: string; category: string },
): Promise<void> {
  const [first] = reservations
  if (first === undefined) return
  const { owedBackCents } = await cancelPrepaid(
    tx,
    by,
    reservations.map(({ id }) => id),
  )
  for (const reservation of reservations) {
    tx.em.assign(reservation, {
      live: false,
      cancelledAt: tx.now,
      cancelledBy: by.orgUserId,
      cancellationReason: reason,
      cancellationCategory: category,
    })
    emit(tx, by, {
      kind: 'reservation.cancelled',
      subject: { kind: 'reservation', id: reservation.id },
      reason,
      after: {
        category,
        ...(owedBackCents > 0 && { owedBackCents }),
        ...(reservation !== first && { partOf: first.id }),
      },
    })
  }
}
