import { type Actor, is } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { refuseCancellation } from '../scheduling/reservations/cancellation.rules.ts'
import {
  assertBookingParty,
  assertTransition,
  lockReservation,
  refused,
} from '../scheduling/reservations/reservation.access.ts'
import { markCancelled } from './mark-cancelled.ts'

export interface Cancellation {
  reason: string
  category: string
}

/**
 * Cancels a booking before the aircraft leaves the ramp; it stays readable. What was charged for it in advance is taken
 * back.
 * @throws NotFound; Forbidden for who is not concerned; Conflict RESERVATION_RAMPED_OUT; Invalid when it is cancelled
 * already, the category is not on the list, or it is too late under the organization's policy.
 */
export async function cancelReservation(tx: Tx, actor: Actor, id: number, cancellation: Cancellation): Promise<void> {
  const row = await lockReservation(tx, actor, id)
  assertBookingParty(row, actor)
  assertTransition('cancel', row)
  const refusal = refuseCancellation({
    now: tx.now,
    start: row.starts_at,
    category: cancellation.category,
    deskStaff: is(actor, deskStaff),
    settings: actor.organization.settings,
  })
  if (refusal) throw refused(refusal)
  await markCancelled(tx, actor, [id], cancellation)
}
