import { type Actor, is } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { findGivenAt } from '../scheduling/reservations/history.queries.ts'
import {
  assertBookingParty,
  assertTransition,
  lockReservation,
  refused,
} from '../scheduling/reservations/reservation.access.ts'
import { refuseCancellation } from '../scheduling/reservations/reservation.rules.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { type Cancellation, markCancelled } from './mark-cancelled.ts'
import { undoAgreed } from './undo-agreed.ts'

/**
 * Cancels a booking before ramp-out; it stays readable. A prepaid charge is voided, refunded or reversed. `undo`: takes back what
 * somebody agreed to in the caller's name, so that a booking that was moved goes back instead.
 * Implements interface §Reservation lifecycle.
 */
export async function cancelReservation(
  tx: Tx,
  actor: Actor,
  id: number,
  { undo = false, ...cancellation }: Cancellation & { undo?: boolean },
): Promise<void> {
  const row = await lockReservation(tx, actor, id)
  assertBookingParty(row, actor)
  if (cancellation.notify === false && !is(actor, deskStaff)) throw schedulingErrors.silenceForDesk()
  assertTransition('cancel', row)
  if (undo && (await undoAgreed(tx, actor, { id, start: row.starts_at }))) return
  const refusal = refuseCancellation({
    now: tx.now,
    start: row.starts_at,
    category: cancellation.category,
    deskStaff: is(actor, deskStaff),
    givenAt: await findGivenAt(tx.db, actor, id),
    settings: actor.organization.settings,
  })
  if (refusal) throw refused(refusal)
  await markCancelled(tx, actor, [row.entity], cancellation)
}
