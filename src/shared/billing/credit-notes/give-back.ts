import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, minus, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { decideRefund, LESS_WENT_BACK, noteDecided } from '../invoices/refund-invoice.ts'
import type { CreditNote, Invoice } from '../invoices.tables.ts'
import { postEntry } from '../ledger/post-entry.ts'
import { payOpenFromLedger } from '../payments/ledger-payments.jobs.ts'
import { findPaymentsToChange, refundedBy, spreadOfflineRefunds } from '../payments/payment.access.ts'
import { readMoneyAgain } from '../payments/refund-overpaid.ts'
import { type GivenBackBy, needsSecondAdmin } from './credit.rules.ts'
import { findWaitingCredit, lockCredit, lockUnapprovedRefunds, waitsForBooking } from './credit-note.access.ts'
import { refundCreditAtGateway } from './credit-notes.jobs.ts'

/**
 * Adds the refund of a credit note to the refunded sums of its locked invoice. Then makes the refund, or sets `refundWaitingAt` when a
 * second admin must approve it: this refund, plus those that the actor made or requested without a second admin's approval, exceeds
 * `settings.refundApprovalCents`, summed over this invoice or over today's refunds to its payer. A job makes a refund to the card.
 * Returns `own`: the actor is the payer of the invoice; `ownPayment`: the refund does not go through the payment gateway, and the actor
 * recorded a payment of the invoice.
 */
export async function startRefund(
  tx: Tx,
  actor: Actor,
  invoice: Invoice,
  note: CreditNote,
): Promise<{ own: boolean; ownPayment: boolean }> {
  const way = wayOf(note)
  tx.em.assign(invoice, refundedBy(invoice, way, note.refundCents))
  const payments = way !== 'processor' ? await findPaymentsToChange(tx, invoice) : []
  spreadOfflineRefunds(tx, invoice, payments)
  const { orgUserId } = actor
  const limit = actor.organization.settings.refundApprovalCents
  const before = limit === null ? [] : await lockUnapprovedRefunds(tx, orgUserId, invoice, note)
  if (needsSecondAdmin(limit, note.refundCents, before)) invoice.refundWaitingAt = tx.now
  else await giveBack(tx, actor, invoice, note)
  return {
    own: invoice.membershipId === orgUserId,
    ownPayment: payments.some(({ recordedBy }) => recordedBy === orgUserId),
  }
}

/** Makes the refund of a credit note: to the card by a job; to the member's account or by hand in this transaction. */
async function giveBack(tx: Tx, { organization }: Actor, invoice: Invoice, note: CreditNote): Promise<void> {
  const { organizationId, id: invoiceId } = invoice
  if (note.refund === 'processor') {
    note.refundStatus = 'pending'
    tx.enqueue(refundCreditAtGateway, { organizationId, creditId: note.id })
    return
  }
  tx.em.assign(note, { refundStatus: 'succeeded', refundedCents: note.refundCents, refundedAt: tx.now })
  if (note.refund !== 'ledger') return
  await postEntry(tx, {
    organizationId,
    membershipId: invoice.membershipId as number,
    kind: 'credit',
    amountCents: note.refundCents,
    reservationId: invoice.reservationId ?? null,
    invoiceId,
    memo: note.reason,
    createdBy: askedBy(note),
  })
  // A job, since the invoices that it pays are locked before the account.
  const orgUserId = invoice.membershipId as number
  if (organization.settings.payFromLedger === 'auto') tx.enqueue(payOpenFromLedger, { organizationId, orgUserId })
}

/** Returns the way of a note's refund. A note without one refunds 0 cents, so that its way does not matter. */
function wayOf({ refund }: CreditNote): GivenBackBy {
  return refund === 'none' ? 'offline' : refund
}

/** Returns who requested the refund of a credit note; null for a note of a refund that the gateway made by itself. */
function askedBy({ refundBy, createdBy }: CreditNote): number | null {
  return refundBy ?? createdBy ?? null
}

/**
 * Stores how many cents the gateway refunded for a credit note. When that is less than the note's refund, the rest is the payer's
 * credit again, and `error` is stored on the invoice.
 */
export async function recordCreditRefund(
  tx: Tx,
  { organizationId, creditId }: { organizationId: number; creditId: number },
  { refundedCents, error = LESS_WENT_BACK }: { refundedCents: Cents; error?: string },
): Promise<void> {
  const { note, invoice } = (await lockCredit(tx, organizationId, creditId)) ?? {}
  if (!invoice || note?.refundStatus !== 'pending') return
  const all = refundedCents >= note.refundCents
  tx.em.assign(note, {
    refundStatus: all ? 'succeeded' : 'failed',
    refundedCents,
    refundedAt: refundedCents > 0 ? tx.now : null,
  })
  tx.em.assign(invoice, refundedBy(invoice, 'processor', minus(refundedCents, note.refundCents)))
  if (all) return
  invoice.gatewayError = error
  readMoneyAgain(tx, invoice)
}

/**
 * Approves or declines a refund that waits for an admin: of a credit note, or of a cancelled booking. When both wait, this call decides
 * the credit note's refund and the next call the other. A declined refund stays the payer's credit.
 * Implements interface §Invoices: POST refund.
 */
export async function decideWaitingRefund(
  tx: Tx,
  actor: Actor,
  id: number,
  decision: { approved: boolean; reason?: string | undefined },
): Promise<{ organizationId: number; invoiceId: number }> {
  const { organizationId } = actor
  const invoice = await lockInvoice(tx, organizationId, id)
  const note = invoice && (await findWaitingCredit(tx, invoice))
  if (!note) return decideRefund(tx, actor, id, decision)
  const { approved, reason } = decision
  if (askedBy(note) === actor.orgUserId) throw billingErrors.ownCredit()
  if (!(await waitsForBooking(tx, invoice))) invoice.refundWaitingAt = null
  if (approved) {
    note.refundApprovedAt = tx.now
    await giveBack(tx, actor, invoice, note)
  } else {
    tx.em.assign(invoice, refundedBy(invoice, wayOf(note), minus(ZERO, note.refundCents)))
    spreadOfflineRefunds(tx, invoice, await findPaymentsToChange(tx, invoice))
    tx.em.assign(note, { refundStatus: 'none' })
  }
  await noteDecided(tx, actor, invoice, { approved, reason })
  return { organizationId, invoiceId: id }
}
