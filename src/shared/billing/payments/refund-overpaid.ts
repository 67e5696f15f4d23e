import type { InvoiceAtGateway } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { type Cents, minus } from '../../platform/kernel/units.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { owedBackOf } from '../invoices/invoice-figures.rules.ts'
import type { Invoice, Payment } from '../invoices.tables.ts'
import { overpaidBy } from './gateway-money.rules.ts'
import { figuresByWay, findPaymentsToChange, refundedBy } from './payment.access.ts'
import { followMoneyAtGateway, refundOverpaidAtGateway } from './payments.jobs.ts'

interface PaymentId {
  organizationId: number
  invoiceId: number
  paymentId: number
}

/**
 * Adds a payment from the gateway to a locked invoice. A job refunds the part above the amount due, which counts as refunded from now
 * on.
 */
export async function returnOverpaid(tx: Tx, invoice: Invoice, add: () => Payment): Promise<void> {
  const before = owedBackOf(figuresByWay(invoice))
  const payment = add()
  const overpaidCents = overpaidBy(before, owedBackOf(figuresByWay(invoice)))
  if (overpaidCents === 0) return
  payment.overpaidCents = overpaidCents
  tx.em.assign(invoice, refundedBy(invoice, 'processor', overpaidCents))
  await tx.em.flush()
  const { organizationId, id: invoiceId } = invoice
  tx.enqueue(refundOverpaidAtGateway, { organizationId, invoiceId, paymentId: payment.id })
}

/** Stores how many cents of the overpaid part of a payment were refunded; the rest stays the payer's credit. */
export async function recordOverpaidReturned(tx: Tx, id: PaymentId, refundedCents: Cents): Promise<void> {
  const invoice = await lockInvoice(tx, id.organizationId, id.invoiceId)
  if (!invoice) return
  const payment = (await findPaymentsToChange(tx, invoice)).find((one) => one.id === id.paymentId)
  if (!payment?.overpaidCents || payment.overpaidReturnedAt) return
  tx.em.assign(invoice, refundedBy(invoice, 'processor', minus(refundedCents, payment.overpaidCents)))
  if (refundedCents < payment.overpaidCents) readMoneyAgain(tx, invoice)
  noteReturned(tx, invoice, refundedCents)
  tx.em.assign(payment, { overpaidCents: refundedCents, overpaidReturnedAt: tx.now })
}

/** Emits the event that the gateway refunded the overpaid part of a payment; the payer is notified. Does nothing for 0 cents. */
export function noteReturned(tx: Tx, { organizationId, id }: Invoice, amountCents: Cents): void {
  if (amountCents === 0) return
  emit(
    tx,
    { organizationId, orgUserId: null },
    { kind: 'invoice.payment_returned', subject: { kind: 'invoice', id }, after: { amountCents } },
  )
}

/**
 * Enqueues a new read of a locked invoice from the gateway, after less was refunded than was requested. This happens when the school
 * refunds at the gateway at the same time: that refund was counted only up to the amount that our refund left.
 */
export function readMoneyAgain(tx: Tx, { gatewayAccount: account = null, gatewayInvoiceId }: Invoice): void {
  if (gatewayInvoiceId) readMoneyOf(tx, { account, gatewayInvoiceId })
}

/** Enqueues a read of one gateway invoice with its payments, refunds and disputes. */
export function readMoneyOf(tx: Tx, at: InvoiceAtGateway): void {
  tx.enqueue(followMoneyAtGateway, { ...at, payment: null, reference: null, paid: false })
}
