import { LockMode } from '@mikro-orm/core'
import type { GatewayInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { type Invoice, Payment } from '../invoices.tables.ts'
import type { KnownPayment } from './gateway-money.rules.ts'
import { afterPayment, type FiguresByWay, type OutsideMethod, spreadRefunds } from './payment.rules.ts'

/** Returns the sums of an invoice, in total and through the payment gateway, in cents. */
export function figuresByWay(invoice: Invoice): FiguresByWay {
  return {
    totalCents: invoice.totalCents,
    creditedCents: invoice.creditedCents ?? ZERO,
    amountPaidCents: invoice.amountPaidCents ?? ZERO,
    refundedCents: invoice.refundedCents ?? ZERO,
    gatewayPaidCents: invoice.gatewayPaidCents ?? ZERO,
    gatewayRefundedCents: invoice.gatewayRefundedCents ?? ZERO,
  }
}

/** Returns the payments of a locked invoice, oldest first. */
export function findPaymentsToChange(tx: Tx, { organizationId, id: invoiceId }: Invoice): Promise<Payment[]> {
  return tx.em.find(
    Payment,
    { organizationId, invoiceId },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' }, refresh: true },
  )
}

/** Returns the payments of a locked invoice that were made on one gateway invoice, oldest first. */
export async function paymentsOf(
  tx: Tx,
  invoice: Invoice,
  { gatewayInvoiceId }: Pick<GatewayInvoice, 'gatewayInvoiceId'>,
): Promise<Payment[]> {
  const all = await findPaymentsToChange(tx, invoice)
  return all.filter((one) => one.gatewayInvoiceId === gatewayInvoiceId)
}

/** Returns the method of the latest payment of a locked invoice; `other` when there is no payment. */
export async function latestMethod(tx: Tx, invoice: Invoice): Promise<OutsideMethod> {
  return (await findPaymentsToChange(tx, invoice)).at(-1)?.method ?? 'other'
}

/** Returns the facts of a stored payment that `gateway-money.rules.ts` needs. */
export function knownPayment({ id, gatewayPayment = null, amountCents, reversedCents = ZERO }: Payment): KnownPayment {
  return { id, gatewayPayment, amountCents, reversedCents }
}

/** A received payment. An absent field is stored as null. */
export interface Received {
  way: Payment['way']
  method: OutsideMethod
  amountCents: Cents
  receivedAt: Date
  reference?: string | null
  gatewayInvoiceId?: string | null
  gatewayPayment?: string | null
  recordedBy: number | null
}

/** Adds a payment to a locked invoice: writes its row and increases the sums of the invoice. Does not change the status. */
export function addPayment(tx: Tx, invoice: Invoice, received: Received): Payment {
  const { way, amountCents } = received
  // The gateway gives whole seconds. The payment must not seem older than its invoice, because a statement shows it after the invoice.
  const early = way === 'processor' && received.receivedAt < invoice.createdAt
  const receivedAt = early ? invoice.createdAt : received.receivedAt
  const { amountPaidCents, gatewayPaidCents } = afterPayment(figuresByWay(invoice), way, amountCents)
  tx.em.assign(invoice, { amountPaidCents, gatewayPaidCents })
  return tx.em.create(Payment, {
    organizationId: invoice.organizationId,
    invoiceId: invoice.id,
    reference: null,
    gatewayInvoiceId: null,
    gatewayPayment: null,
    ...received,
    receivedAt,
  })
}

/** Sets the reversed amount of a payment to `cents` and updates the sums of its locked invoice. Does not change the status. */
export function takeBack(
  tx: Tx,
  invoice: Invoice,
  payment: Payment,
  { cents, by, reason }: { cents: Cents; by: number | null; reason: string },
): void {
  const before = payment.reversedCents ?? ZERO
  const change = minus(before, cents)
  const { amountPaidCents, gatewayPaidCents } = afterPayment(figuresByWay(invoice), payment.way, change)
  tx.em.assign(invoice, { amountPaidCents, gatewayPaidCents })
  const reversed = cents > 0 ? { reversedAt: tx.now, reversedBy: by, reversalReason: reason } : noReversal
  tx.em.assign(payment, { reversedCents: cents, ...reversed })
}

const noReversal = { reversedAt: null, reversedBy: null, reversalReason: null }

/** Returns the refunded sums of an invoice after `cents` more (less when negative) are refunded in one way. */
export function refundedBy(
  invoice: Invoice,
  way: 'processor' | 'offline',
  cents: Cents,
): { refundedCents: Cents; gatewayRefundedCents: Cents } {
  const { refundedCents, gatewayRefundedCents } = figuresByWay(invoice)
  return {
    refundedCents: plus(refundedCents, cents),
    gatewayRefundedCents: way === 'processor' ? plus(gatewayRefundedCents, cents) : gatewayRefundedCents,
  }
}

/**
 * Distributes the offline refunds of a locked invoice (by hand or to the account) over its offline payments: sets `refundedCents` of
 * each.
 */
export function spreadOfflineRefunds(tx: Tx, invoice: Invoice, payments: readonly Payment[]): void {
  const { refundedCents, gatewayRefundedCents } = figuresByWay(invoice)
  const offline = payments.filter(({ way }) => way === 'offline')
  const seen = offline.map(({ amountCents, reversedCents = ZERO, refundedCents: back = ZERO }) => ({
    amountCents,
    reversedCents,
    refundedCents: back,
  }))
  const spread = spreadRefunds(seen, minus(refundedCents, gatewayRefundedCents))
  for (const [index, payment] of offline.entries()) tx.em.assign(payment, { refundedCents: spread[index]! })
}
