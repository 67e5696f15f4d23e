import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockReservation } from '../../scheduling/reservations/reservation.access.ts'
import { billingErrors } from '../billing.errors.ts'
import { isOwnMoney } from '../ledger/cashier.access.ts'
import { chargeLocked } from './charge-fee.ts'
import { decided, type LockedFee, lockFee, objected } from './fee.access.ts'

export const feeActions = ['waive', 'charge', 'object'] as const

/**
 * Decides on the fee of a cancellation, once: desk staff waive or charge it, whose own money it is not. The payer objects to it, which leaves
 * it to the desk. The lock of the booking lets one decision after the other see what the first one did.
 * Implements interface §Cancellation fees, POST /reservations/{id}/fee.
 */
export async function decideFee(
  tx: Tx,
  actor: Actor,
  reservationId: number,
  { action, reason }: { action: (typeof feeActions)[number]; reason: string },
): Promise<{ id: number }> {
  const row = await lockReservation(tx, actor, reservationId)
  const fee = await lockFee(tx, actor, { reservationId })
  if (action === 'object') {
    if (!isPayerOf(actor, fee)) throw billingErrors.feeNotYours()
    if (fee!.status !== 'proposed') throw alreadyDecided(fee!)
    await objected(tx, actor, fee!, reason)
    return { id: reservationId }
  }
  if (!is(actor, deskStaff)) throw billingErrors.feeForDesk()
  if (!fee) throw billingErrors.noSuchFee()
  if (await isOwnMoney(tx, actor, [fee.share.orgUserId, fee.payerId])) throw billingErrors.feeOfOwnMoney()
  if (fee.status === 'waived' || fee.status === 'charged') throw alreadyDecided(fee)
  if (action === 'waive') await decided(tx, actor, fee, { status: 'waived', reason, invoiceId: null })
  else {
    if (fee.cents === 0) throw billingErrors.nothingToBill()
    await chargeLocked(tx, actor, row, fee, reason)
  }
  return { id: reservationId }
}

function isPayerOf({ orgUserId }: Actor, fee: LockedFee | null): boolean {
  return fee !== null && (fee.payerId === orgUserId || fee.share.orgUserId === orgUserId)
}

function alreadyDecided({ status }: LockedFee) {
  return billingErrors.feeDecided({ status }, { status })
}
