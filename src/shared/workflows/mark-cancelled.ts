import { cancelPrepaid } from '../billing/invoices/cancel-prepaid.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { type Cause, emit } from '../platform/events/emit.ts'
import type { Reservation } from '../scheduling/reservations.tables.ts'

/** The reason of a cancellation, and whether the people on the bookings are notified. */
export interface Cancellation {
  reason: string
  category: string
  /** Whether the people on the bookings are notified; true when absent. */
  notify?: boolean
  /** The bulk that cancels the bookings. It sends the notifications at its end. */
  operationId?: number
}

/**
 * Marks locked, cancellable bookings as cancelled, and voids, refunds or reverses prepaid charges. Several bookings cause one
 * notification to their crew, about the first booking. There is no notification when `notify` is false.
 * Implements interface §Reservation lifecycle.
 */
export async function markCancelled(
  tx: Tx,
  by: Cause,
  reservations: readonly Reservation[],
  { reason, category, notify = true, operationId }: Cancellation,
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
        ...(!notify && { notify }),
        ...(operationId && { operationId }),
        ...(reservation !== first && !operationId && { partOf: first.id }),
      },
    })
  }
}
