import { LockMode } from '@mikro-orm/core'
import type { GatewayInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { type Cents, cents, minus, plus, ZERO } from '../../platform/kernel/units.ts'
import type { GivenBackBy } from '../credit-notes/credit.rules.ts'
import { type Invoice, Payment } from '../invoices.tables.ts'
import type { KnownPayment } from './gateway-money.rules.ts'
import { afterPayment, type FiguresByWay, type StoredMethod, spreadRefunds } from './payment.rules.ts'

/** Returns the sums of an invoice, in total and through the payment gateway, in cents. */
export function figuresByWay(invoice: Invoice): FiguresByWay {
  return {
    totalCents: invoice.totalCents,
    creditedCents: invoice.creditedCents ?? ZERO,
    amountPaidCents: invoice.amountPaidCents ?? ZERO,
    refundedCents: invoice.refundedCents ?? ZERO,
    gatewayPaidCents: invoice.gatewayPaidCents ?? ZERO,
    gatewayRefundedCents: invoice.gatewayRefundedCents ?? ZERO,
    ledgerPaidCents: invoice.ledgerPaidCents ?? ZERO,
    ledgerRefundedCents: invoice.ledgerRefundedCents ?? ZERO,
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
export async function latestMethod(tx: Tx, invoice: Invoice): Promise<StoredMethod> {
  return (await findPaymentsToChange(tx, invoice)).at(-1)?.method ?? 'other'
}

/** Returns the facts of a stored payment that `gateway-money.rules.ts` needs. */
export function knownPayment({ id, gatewayPayment = null, amountCents, reversedCents = ZERO }: Payment): KnownPayment {
  return { id, gatewayPayment, amountCents, reversedCents }
}

/** A received payment. An absent field is stored as null. */
export interface Received {
  way: Payment['way']
  method: StoredMethod
  amountCents: Cents
  receivedAt: Date
  reference?: string | null
  ledgerEntryId?: number | null
  gatewayInvoiceId?: string | null
  gatewayPayment?: string | null
  recordedBy: number | null
}

/** Adds a payment to a locked invoice: writes its row and increases the sums of the invoice. Does not change the status. */
export function addPayment(tx: Tx, invoice: Invoice, received: Received): Payment {
  const { way, method, amountCents } = received
  // The gateway gives whole seconds. The payment must not seem older than its invoice, because a statement shows it after the invoice.
  const early = way === 'processor' && received.receivedAt < invoice.createdAt
  const receivedAt = early ? invoice.createdAt : received.receivedAt
  assignPaid(tx, invoice, afterPayment(figuresByWay(invoice), { way, method }, amountCents))
  return tx.em.create(Payment, {
    organizationId: invoice.organizationId,
    invoiceId: invoice.id,
    reference: null,
    ledgerEntryId: null,
    gatewayInvoiceId: null,
    gatewayPayment: null,
    ...received,
    receivedAt,
  })
}

function assignPaid(tx: Tx, invoice: Invoice, figures: FiguresByWay): void {
  const { amountPaidCents, gatewayPaidCents, ledgerPaidCents } = figures
  tx.em.assign(invoice, { amountPaidCents, gatewayPaidCents, ledgerPaidCents })
}

/** Sets the reversed amount of a payment to `cents` and updates the sums of its locked invoice. Does not change the status. */
export function takeBack(
  tx: Tx,
  invoice: Invoice,
  payment: Payment,
  { cents, by, reason, at = tx.now }: { cents: Cents; by: number | null; reason: string; at?: Date },
): void {
  const before = payment.reversedCents ?? ZERO
  assignPaid(tx, invoice, afterPayment(figuresByWay(invoice), payment, minus(before, cents)))
  const reversed = cents > 0 ? { reversedAt: at, reversedBy: by, reversalReason: reason } : noReversal
  tx.em.assign(payment, { reversedCents: cents, ...reversed })
}

const noReversal = { reversedAt: null, reversedBy: null, reversalReason: null }

/** Returns the refunded sums of an invoice after `cents` more (less when negative) are refunded in one way. */
export function refundedBy(
  invoice: Invoice,
  way: GivenBackBy,
  cents: Cents,
): Pick<FiguresByWay, 'refundedCents' | 'gatewayRefundedCents' | 'ledgerRefundedCents'> {
  const { refundedCents, gatewayRefundedCents, ledgerRefundedCents } = figuresByWay(invoice)
  return {
    refundedCents: plus(refundedCents, cents),
    gatewayRefundedCents: way === 'processor' ? plus(gatewayRefundedCents, cents) : gatewayRefundedCents,
    ledgerRefundedCents: way === 'ledger' ? plus(ledgerRefundedCents, cents) : ledgerRefundedCents,
  }
}

/**
 * Distributes the offline refunds of a locked invoice (by hand or to the account) over its offline payments: sets `refundedCents` of
 * each. A refund to the account is first of the money that came from it.
 */
export function spreadOfflineRefunds(tx: Tx, invoice: Invoice, payments: readonly Payment[]): void {
  const figures = figuresByWay(invoice)
  const fromLedger = cents(Math.min(figures.ledgerRefundedCents, figures.ledgerPaidCents))
  const offline = minus(figures.refundedCents, figures.gatewayRefundedCents)
  const all = payments.filter(({ way }) => way === 'offline')
  spread(tx, { payments: all.filter(({ method }) => method === 'ledger'), refundedCents: fromLedger })
  spread(tx, { payments: all.filter(({ method }) => method !== 'ledger'), refundedCents: minus(offline, fromLedger) })
}

function spread(
  tx: Tx,
  { payments: offline, refundedCents }: { payments: readonly Payment[]; refundedCents: Cents },
): void {
  const seen = offline.map(({ amountCents, reversedCents = ZERO, refundedCents: back = ZERO }) => ({
    amountCents,
    reversedCents,
    refundedCents: back,
  }))
  const parts = spreadRefunds(seen, refundedCents)
  for (const [index, payment] of offline.entries()) tx.em.assign(payment, { refundedCents: parts[index]! })
}
