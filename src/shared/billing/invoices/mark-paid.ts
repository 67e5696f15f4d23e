import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cause, emit } from '../../platform/events/emit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { addRecorded } from '../payments/add-recorded.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import type { OutsideMethod, StoredMethod } from '../payments/payment.rules.ts'
import { nextInvoiceNumber } from './invoice.access.ts'
import { balanceOf } from './invoice-figures.rules.ts'
import { settleAtGateway } from './invoices.jobs.ts'

/** How the amount due of an invoice was paid outside of the payment gateway. */
export interface PaidOffline {
  method: OutsideMethod
  /** When the money was received; absent: now. */
  receivedAt?: Date
  reference?: string | null
}

/**
 * Marks a locked, unpaid invoice paid outside the gateway, and enqueues the job that marks it paid there.
 * Implements docs/decisions/0011.
 */
export async function markPaid(
  tx: Tx,
  actor: Actor,
  invoice: Invoice,
  { method, receivedAt = tx.now, reference = null }: PaidOffline,
): Promise<void> {
  const amountCents = balanceOf(figuresByWay(invoice))
  if (amountCents > 0) await addRecorded(tx, actor, invoice, { method, amountCents, receivedAt, reference })
  await settleOffline(tx, actor, invoice, method)
}

/** Sets a locked invoice of which nothing is due to paid, and enqueues the job that marks it paid at the gateway. */
export async function settleOffline(tx: Tx, by: Cause, invoice: Invoice, method: StoredMethod): Promise<void> {
  const { organizationId } = by
  tx.em.assign(invoice, {
    status: 'paid',
    settlement: 'offline',
    paidAt: tx.now,
    paymentMethod: method,
    number: invoice.number ?? (await nextInvoiceNumber(tx, organizationId)),
  })
  tx.enqueue(settleAtGateway, { organizationId, invoiceId: invoice.id })
  emit(tx, by, {
    kind: 'invoice.paid',
    subject: { kind: 'invoice', id: invoice.id },
    after: { settlement: 'offline' },
  })
}
