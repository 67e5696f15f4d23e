import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import { type Cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { creditUnpaid } from '../credit-notes/write-credit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { findOpenCharge } from '../ledger/ledger.queries.ts'
import { postEntry } from '../ledger/post-entry.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import { leftAtGateway, leftOffline } from '../payments/payment.rules.ts'
import { reverseFromLedger } from '../payments/reverse-from-ledger.ts'
import { findRefundLimit, lockLiveInvoices } from './invoice.access.ts'
import { refundAtGateway, voidAtGateway } from './invoices.jobs.ts'
import { voidSettled } from './void-invoice.ts'

const REASON = 'the booking was cancelled'

/**
 * Reverses the prepaid charges of bookings that are cancelled before the flight: voids unpaid invoices here and at the payment gateway,
 * credits the unpaid rest of partly paid ones, refunds card payments, and reverses ledger debits and payments from the ledger. Returns the amount in cents that was
 * paid outside of the gateway, for example by cash or check, which desk staff refund by hand.
 * Implements interface §Reservation lifecycle, DELETE.
 */
export async function cancelPrepaid(
  tx: Tx,
  by: Cause,
  reservationIds: readonly number[],
): Promise<{ owedBackCents: Cents }> {
  const { organizationId } = by
  const liveInvoices = await lockLiveInvoices(tx, organizationId, reservationIds)
  let owedBackCents: Cents = ZERO
  for (const invoice of liveInvoices) {
    await reverseFromLedger(tx, by, invoice, REASON)
    if (invoice.settlement === 'ledger') await reverseCharge(tx, by, invoice)
    else if (invoice.status === 'paid' || invoice.amountPaidCents) {
      if (invoice.status !== 'paid') await creditUnpaid(tx, by, invoice, REASON)
      const figures = figuresByWay(invoice)
      if (leftAtGateway(figures) > 0) await refundOrWait(tx, by, invoice, leftAtGateway(figures))
      owedBackCents = plus(owedBackCents, leftOffline(figures))
      continue
    } else tx.enqueue(voidAtGateway, { organizationId, invoiceId: invoice.id })
    voidSettled(tx, by, invoice, REASON)
  }
  return { owedBackCents }
}

/** Enqueues the refund of a card payment. A refund above the limit waits for an admin, unless an admin cancels the booking. */
async function refundOrWait(tx: Tx, by: Cause, invoice: Invoice, paidCents: Cents): Promise<void> {
  const limit = await findRefundLimit(tx.db, by)
  if (limit !== null && paidCents > limit) invoice.refundWaitingAt = tx.now
  else tx.enqueue(refundAtGateway, { organizationId: by.organizationId, invoiceId: invoice.id })
}

async function reverseCharge(tx: Tx, by: Cause, invoice: Invoice): Promise<void> {
  const charge = await findOpenCharge(tx.db, invoice.organizationId, invoice.id)
  if (!charge) return
  await postEntry(tx, {
    organizationId: invoice.organizationId,
    membershipId: charge.membership_id,
    kind: 'reversal',
    // Credit notes have already refunded a part.
    amountCents: minus(minus(ZERO, charge.amount_cents), invoice.refundedCents ?? ZERO),
    reservationId: invoice.reservationId ?? null,
    invoiceId: invoice.id,
    reversesId: charge.id,
    memo: REASON,
    createdBy: by.orgUserId,
  })
}
