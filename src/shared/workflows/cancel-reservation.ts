import { billingErrors } from '../billing/billing.errors.ts'
import { proposeFees } from '../billing/fees/propose-fees.ts'
import { type Actor, is } from '../platform/authz/actor.ts'
import { deskStaff } from '../platform/authz/roles.ts'
import { freeCategories } from '../platform/authz/rule-settings.ts'
import type { Tx } from '../platform/db/transaction.ts'
import { findGivenAt } from '../scheduling/reservations/history.queries.ts'
import {
  assertBookingParty,
  assertTransition,
  lockReservation,
  refused,
} from '../scheduling/reservations/reservation.access.ts'
import { mayUndo, refuseCancellation } from '../scheduling/reservations/reservation.rules.ts'
import { schedulingErrors } from '../scheduling/scheduling.errors.ts'
import { type Cancellation, markCancelled } from './mark-cancelled.ts'
import { undoAgreed } from './restore-former-place.ts'

/** A cancellation by a member. `forPayer`: the desk cancels at the payer's cost. */
export interface OwnCancellation extends Cancellation {
  forPayer?: boolean
}

/**
 * Cancels a booking before ramp-out; it stays readable. A prepaid charge is voided, refunded or reversed; a late cancellation may cost
 * a fee. `undo`: takes back what somebody agreed to in the caller's name, so that a booking that was moved goes back instead.
 * Implements interface §Reservation lifecycle.
 */
export async function cancelReservation(
  tx: Tx,
  actor: Actor,
  id: number,
  { undo = false, forPayer = false, ...cancellation }: OwnCancellation & { undo?: boolean },
): Promise<void> {
  const row = await lockReservation(tx, actor, id)
  assertBookingParty(row, actor)
  if (cancellation.notify === false && !is(actor, deskStaff)) throw schedulingErrors.silenceForDesk()
  assertMayCharge(actor, { forPayer, category: cancellation.category })
  assertTransition('cancel', row)
  if (undo && (await undoAgreed(tx, actor, { id, start: row.starts_at }))) return
  const givenAt = await findGivenAt(tx.db, actor, id)
  const refusal = refuseCancellation({
    now: tx.now,
    start: row.starts_at,
    category: cancellation.category,
    deskStaff: is(actor, deskStaff),
    givenAt,
    settings: actor.organization.settings,
  })
  if (refusal) throw refused(refusal)
  await markCancelled(tx, actor, [row.entity], cancellation)
  if (row.cancellation_terms === null) return
  const undoes = mayUndo({ now: tx.now, start: row.starts_at, givenAt })
  await proposeFees(tx, actor, [row], { category: cancellation.category, forPayer, undoes })
}

/**
 * Checks that the actor may cancel at the cost of the payer, in a category that costs.
 * @throws Forbidden for others than desk staff
 */
export function assertMayCharge(actor: Actor, { forPayer, category }: { forPayer: boolean; category: string }): void {
  if (!forPayer) return
  if (!is(actor, deskStaff)) throw billingErrors.feeForPayer()
  if (freeCategories.includes(category)) throw billingErrors.feeNeedsCategory()
}
