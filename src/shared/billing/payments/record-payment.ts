import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, minus } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { issueAgain } from '../invoices/change-invoice.ts'
import { lockInvoice, nextInvoiceNumber, remainderTooSmall } from '../invoices/invoice.access.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import { markPaid } from '../invoices/mark-paid.ts'
import { actsAsCashier, assertIsNotOwnInvoice, assertWithinCashierLimit, todayOf } from '../ledger/cashier.access.ts'
import { addRecorded } from './add-recorded.ts'
import { figuresByWay } from './payment.access.ts'
import { type OutsideMethod, paymentProblem } from './payment.rules.ts'

/** A payment that was made outside of the payment gateway, in cents. */
export interface PaymentInput {
  amountCents: Cents
  method: OutsideMethod
  /** When the money was received; absent: now. */
  receivedAt?: Date | undefined
  reference: string | null
}

/**
 * Records a payment of an unpaid invoice, in full or in part. After a partial payment, the invoice at the payment gateway is replaced
 * by an invoice of the amount that is still due. The last payment settles the invoice.
 * A cashier records payments of today by others, within the limit of a cashier.
 * Implements interface §Invoices: POST payments, and the desk grants of the interface.
 */
export async function recordPayment(
  tx: Tx,
  actor: Actor,
  id: number,
  { amountCents, method, receivedAt = tx.now, reference }: PaymentInput,
): Promise<{ id: number; raisedAgain: boolean }> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  await assertIsNotOwnInvoice(tx, actor, invoice)
  if (invoice.status !== 'pending' && invoice.status !== 'open') {
    throw billingErrors.invoiceClosed({ status: invoice.status === 'paid' ? 'paid' : 'void' })
  }
  const figures = figuresByWay(invoice)
  // The clocks of the database and of this process differ a little.
  const invoicedAt = invoice.createdAt < tx.now ? invoice.createdAt : tx.now
  const problem = paymentProblem(figures, { amountCents, receivedAt }, { now: tx.now, invoicedAt })
  const due = balanceOf(figures)
  if (problem === 'exceeds_due') throw billingErrors.paymentExceedsDue({ due })
  if (problem === 'leaves_too_little') throw remainderTooSmall(minus(due, amountCents))
  if (problem === 'in_future') throw billingErrors.receivedInFuture()
  if (problem === 'before_invoice') throw billingErrors.receivedBeforeInvoice()
  if (actsAsCashier(actor) && receivedAt < todayOf(tx, actor).start) throw billingErrors.receivedAnotherDay()
  const payer = { orgUserId: invoice.membershipId ?? null, guestId: invoice.guestId ?? null }
  await assertWithinCashierLimit(tx, actor, payer, amountCents)
  if (amountCents === due) {
    await markPaid(tx, actor, invoice, { method, receivedAt, reference })
    return { id, raisedAgain: false }
  }
  await addRecorded(tx, actor, invoice, { method, amountCents, receivedAt, reference })
  invoice.number ??= await nextInvoiceNumber(tx, actor.organizationId)
  issueAgain(tx, invoice)
  return { id, raisedAgain: true }
}
