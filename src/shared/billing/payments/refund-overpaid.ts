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
 * Adds a payment of the gateway to a locked invoice. What it brings above what is due goes back by a job, and counts as
 * refunded from now on.
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

/** Stores how many cents of an overpaid payment went back; the rest is the payer's credit. */
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

/** Says that the gateway gave back money of a payment that was more than is due: the payer is told. */
export function noteReturned(tx: Tx, { organizationId, id }: Invoice, amountCents: Cents): void {
  if (amountCents === 0) return
  emit(
    tx,
    { organizationId, orgUserId: null },
    { kind: 'invoice.payment_returned', subject: { kind: 'invoice', id }, after: { amountCents } },
  )
}

/**
 * Enqueues a read of the gateway's money of a locked invoice: less went back than was asked for, as when the school refunds
 * at the gateway at the same time. That refund counted only as far as ours left room.
 */
export function readMoneyAgain(tx: Tx, { gatewayAccount: account = null, gatewayInvoiceId }: Invoice): void {
  if (gatewayInvoiceId) readMoneyOf(tx, { account, gatewayInvoiceId })
}

/** Enqueues a read of what the gateway has of one of its invoices. */
export function readMoneyOf(tx: Tx, at: InvoiceAtGateway): void {
  tx.enqueue(followMoneyAtGateway, { ...at, payment: null, reference: null, paid: false })
}
