import { LockMode } from '@mikro-orm/core'
import type { GatewayInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import { type Invoice, Payment } from '../invoices.tables.ts'
import type { KnownPayment } from './gateway-money.rules.ts'
import { afterPayment, type FiguresByWay, type OutsideMethod, spreadRefunds } from './payment.rules.ts'

/** Returns the money of an invoice by the way that it came and went, in cents. */
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

/** Returns the payments of a locked invoice that a gateway invoice brought, oldest first. */
export async function paymentsOf(
  tx: Tx,
  invoice: Invoice,
  { gatewayInvoiceId }: Pick<GatewayInvoice, 'gatewayInvoiceId'>,
): Promise<Payment[]> {
  const all = await findPaymentsToChange(tx, invoice)
  return all.filter((one) => one.gatewayInvoiceId === gatewayInvoiceId)
}

/** Returns how the latest payment of a locked invoice came in; `other` without any. */
export async function latestMethod(tx: Tx, invoice: Invoice): Promise<OutsideMethod> {
  return (await findPaymentsToChange(tx, invoice)).at(-1)?.method ?? 'other'
}

/** Returns a stored payment as the rules of the gateway's money see it. */
export function knownPayment({ id, gatewayPayment = null, amountCents, reversedCents = ZERO }: Payment): KnownPayment {
  return { id, gatewayPayment, amountCents, reversedCents }
}

/** A payment that has come in; absent fields are null. */
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

/** Adds a payment to a locked invoice: its row, and the sums of the invoice. Its status does not change. */
export function addPayment(tx: Tx, invoice: Invoice, received: Received): Payment {
  const { way, amountCents } = received
  // The gateway counts in whole seconds: its payment is not older than the invoice, and follows it on a statement.
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

/** Takes back `cents` of a payment of a locked invoice, and of the invoice's sums. Its status does not change. */
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

/** Returns the refunded sums of an invoice after `cents` more (fewer when negative) went back one way. */
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
 * Brings the payments past the gateway of a locked invoice to what the invoice says went back of them, by hand or to the
 * account.
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
