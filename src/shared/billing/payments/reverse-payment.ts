import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { issueAgain } from '../invoices/change-invoice.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import type { Invoice, Payment } from '../invoices.tables.ts'
import { actsAsCashier, assertIsNotOwnInvoice, lockCashiersDay, todayOf } from '../ledger/cashier.access.ts'
import { countReversals, findReceiptOf } from '../ledger/receipt.queries.ts'
import { reverseEntry } from '../ledger/reverse-entry.ts'
import { notifyOfReversal } from '../ledger/write-receipt.ts'
import { figuresByWay, findPaymentsToChange, spreadOfflineRefunds, takeBack } from './payment.access.ts'
import { isReversible } from './payment.rules.ts'

/**
 * Reverses a recorded payment, for example a check that bounced: its amount is due again. What came from the payer's account goes back
 * to it. Offline refunds of the invoice then belong to
 * its other payments. Money that came through the payment gateway is refunded by a credit note instead. When the amount due is then too
 * small for the gateway, the invoice is open without a pay link.
 * A cashier reverses payments that they recorded today; the third reversal of a day, and one above `settings.refundApprovalCents`, waits for an admin, who
 * reverses the payment.
 * Implements interface §Invoices: POST payments/{paymentId}/reverse, and the desk grants of the interface.
 */
export async function reversePayment(
  tx: Tx,
  actor: Actor,
  { id, paymentId, reason }: { id: number; paymentId: number; reason: string },
): Promise<{ id: number; raisedAgain: boolean; waits: boolean }> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  await assertIsNotOwnInvoice(tx, actor, invoice)
  const payments = await findPaymentsToChange(tx, invoice)
  const payment = payments.find((one) => one.id === paymentId)
  if (!payment) throw billingErrors.noSuchPayment()
  const receipt = await findReceiptOf(tx.db, { organizationId: actor.organizationId, paymentId })
  if (actsAsCashier(actor)) assertIsOwnOfToday(tx, actor, payment)
  if (invoice.status === 'void') throw billingErrors.invoiceClosed({ status: 'void' })
  if (payment.reversedAt) throw billingErrors.paymentReversed()
  if (payment.way === 'processor') throw billingErrors.paidThroughGateway()
  if (!isReversible(figuresByWay(invoice), payment)) throw billingErrors.paymentGivenBack()
  if (actsAsCashier(actor) && (await mustAsk(tx, actor, payment))) {
    if (payment.reversalAskedAt) throw billingErrors.reversalWaits()
    tx.em.assign(payment, { reversalAskedAt: tx.now, reversalAskedBy: actor.orgUserId, reversalAskedReason: reason })
    const after = { amountCents: payment.amountCents }
    emit(tx, actor, { kind: 'invoice.reversal_asked', subject: { kind: 'invoice', id }, after, reason })
    return { id, raisedAgain: false, waits: true }
  }
  tx.em.assign(payment, { reversalAskedAt: null, reversalAskedBy: null, reversalAskedReason: null })
  const { ledgerEntryId } = payment
  const giveBack = ledgerEntryId == null ? null : await reverseEntry(tx, actor, ledgerEntryId, reason)
  const at = giveBack?.postedAt ?? tx.now
  takeBack(tx, invoice, payment, { cents: payment.amountCents, by: actor.orgUserId, reason, at })
  // Otherwise the account would pay the same invoice again.
  if (giveBack) invoice.autoLedger = false
  // The refunds then belong to the other payments; the check above made sure that those are large enough.
  payment.refundedCents = ZERO
  spreadOfflineRefunds(tx, invoice, payments)
  if (receipt) await notifyOfReversal(tx, actor, receipt.id)
  emit(tx, actor, {
    kind: 'invoice.payment_reversed',
    subject: { kind: 'invoice', id },
    after: { amountCents: payment.amountCents },
    reason,
  })
  return { waits: false, id, raisedAgain: openAgain(tx, invoice, actor.organization.settings) }
}

/** Checks that a cashier recorded the payment on the present local day. What a cashier records was received on the day itself. */
function assertIsOwnOfToday(tx: Tx, actor: Actor, { recordedBy, receivedAt }: Payment): void {
  const isOwn = recordedBy === actor.orgUserId
  if (!isOwn || receivedAt < todayOf(tx, actor).start) throw billingErrors.notYourPayment()
}

/** How many payments a cashier may reverse in a local day without an admin. */
const MOST_REVERSALS = 2

/** Returns whether a reversal by a cashier waits for an admin. The cashier's requests of a day run one after the other. */
async function mustAsk(tx: Tx, actor: Actor, { amountCents }: Payment): Promise<boolean> {
  const { refundApprovalCents } = actor.organization.settings
  if (refundApprovalCents !== null && amountCents > refundApprovalCents) return true
  const { start } = await lockCashiersDay(tx, actor)
  return (await countReversals(tx.db, actor, start)) >= MOST_REVERSALS
}

/**
 * Opens a locked invoice again when an amount is due, and raises it at the payment gateway when the gateway can collect the amount.
 * Returns whether it is raised; false when nothing is due.
 */
export function openAgain(
  tx: Tx,
  invoice: Invoice,
  { stripeAccountReady, stripeAccountId }: { stripeAccountReady: boolean; stripeAccountId: string | null },
): boolean {
  if (balanceOf(figuresByWay(invoice)) <= 0) return false
  // An invoice that was paid when it was written has never been at the gateway.
  const neverThere = invoice.settlement === 'offline' && !invoice.gatewayInvoiceId && invoice.revision === 0
  if (neverThere && stripeAccountReady) invoice.gatewayAccount = stripeAccountId
  tx.em.assign(invoice, { paidAt: null, paymentMethod: null, settlement: 'processor' })
  return issueAgain(tx, invoice)
}
