import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { type Cents, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { newRefundKey } from '../invoices/gateway-keys.ts'
import { hasRefundUnderWay } from '../invoices/invoice.queries.ts'
import type { CreditNote, Invoice } from '../invoices.tables.ts'
import { notifyOwnersOfOwnMoney } from '../ledger/notify-owners.ts'
import { decideRefundOf, type GivenBackBy, refundAgainProblem } from './credit.rules.ts'
import { creditableOf, lockCredit } from './credit-note.access.ts'
import { startRefund } from './give-back.ts'

/** A refund that is requested after its credit note was issued. */
interface LaterRefund {
  refund: GivenBackBy
  reason?: string | undefined
}

/**
 * Refunds a credit note of which nothing was refunded: it was issued without a refund, or its refund was declined by an admin or
 * refused by the payment gateway. The amount that can be refunded now is refunded as with a new credit; above
 * `settings.refundApprovalCents` it waits for a second admin. Each attempt at the gateway has a new key, because the gateway repeats
 * its earlier answer for a known key.
 * Implements interface §Invoices: POST /creditNotes/{id}/refund.
 */
export async function refundCredit(
  tx: Tx,
  actor: Actor,
  id: number,
  { refund, reason }: LaterRefund,
): Promise<{ id: number }> {
  const { note, invoice } = (await lockCredit(tx, actor.organizationId, id)) ?? {}
  if (!note || !invoice) throw billingErrors.noSuchCredit()
  const problem = refundAgainProblem({ refundStatus: note.refundStatus, refundedCents: note.refundedCents ?? ZERO })
  if (problem === 'went_back') throw billingErrors.creditRefunded()
  const underWay = refund === 'processor' && (await hasRefundUnderWay(tx.db, invoice))
  if (problem === 'under_way' || underWay || invoice.refundWaitingAt) throw billingErrors.refundUnderWay()
  const refundCents = assertRefunds(invoice, note, refund)
  // The error of the earlier refund.
  if (note.refundStatus === 'failed') invoice.gatewayError = null
  const asked = { refundBy: actor.orgUserId, refundAskedAt: tx.now, refundApprovedAt: null, refundKey: newRefundKey() }
  tx.em.assign(note, { refund, refundStatus: 'waiting', refundCents, ...asked })
  const { own, ownPayment } = await startRefund(tx, actor, invoice, note)
  if (own || ownPayment) {
    const { currency } = invoice
    await notifyOwnersOfOwnMoney(tx, actor, { what: own ? 'own_refund' : 'refund', amountCents: refundCents, currency })
  }
  emit(tx, actor, {
    kind: 'invoice.credit_refunded',
    subject: { kind: 'invoice', id: invoice.id },
    after: { number: note.number, refund, refundCents, own, ownPayment },
    ...(reason && { reason }),
  })
  return { id }
}

/** Returns how many cents of a credit note can be refunded in this way now; throws when nothing can. */
function assertRefunds(invoice: Invoice, { amountCents }: CreditNote, refund: GivenBackBy): Cents {
  // Money that came in for a void invoice is refunded automatically.
  if (invoice.status === 'void') throw billingErrors.nothingToRefund()
  const refundCents = decideRefundOf(creditableOf(invoice), { amountCents, refund })
  if (refundCents === 'nothing_to_refund') throw billingErrors.nothingToRefund()
  if (refundCents === 'other_way') throw billingErrors.paidAnotherWay()
  return refundCents
}
