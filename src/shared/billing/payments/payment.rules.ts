import { type Cents, cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import { balanceOf, type InvoiceFigures } from '../invoices/invoice-figures.rules.ts'

/** The methods of payments outside of the payment gateway. The gateway reports its own payments as `card` or `other`. */
export const outsideMethods = ['cash', 'check', 'card', 'other'] as const
export type OutsideMethod = (typeof outsideMethods)[number]
/** The methods of all payments. `ledger`: from the payer's account with the school. */
export const storedMethods = ['cash', 'check', 'card', 'ledger', 'other'] as const
export type StoredMethod = (typeof storedMethods)[number]

const DAY_MS = 86_400_000
/** The most days by which a payment may be older than its invoice. */
const MOST_DAYS_BEFORE = 30

/** A payment to record, in cents. */
export interface PaymentToRecord {
  amountCents: Cents
  receivedAt: Date
}

export type PaymentProblem = 'exceeds_due' | 'leaves_too_little' | 'in_future' | 'before_invoice'

/**
 * Returns why a payment cannot be recorded on an unpaid invoice; null when it can. The payment is at most the amount due, and leaves
 * either nothing or an amount that the payment gateway can collect. It was not received in the future, nor more than 30 days before
 * the invoice was created. Implements interface §Invoices.
 */
export function paymentProblem(
  figures: InvoiceFigures,
  { amountCents, receivedAt }: PaymentToRecord,
  { now, invoicedAt }: { now: Date; invoicedAt: Date },
): PaymentProblem | null {
  const due = balanceOf(figures)
  if (receivedAt > now) return 'in_future'
  if (receivedAt.getTime() < invoicedAt.getTime() - MOST_DAYS_BEFORE * DAY_MS) return 'before_invoice'
  if (amountCents > due) return 'exceeds_due'
  const left = minus(due, amountCents)
  return left > 0 && left < LEAST_SHARE_CENTS ? 'leaves_too_little' : null
}

/** The figures of an invoice, with the parts that went through the payment gateway, in cents. */
export interface FiguresByWay extends InvoiceFigures {
  /** The part of `amountPaidCents` that came through the payment gateway. */
  gatewayPaidCents: Cents
  /** The part of `refundedCents` that went back through the payment gateway. */
  gatewayRefundedCents: Cents
  /** The part of `amountPaidCents` that payments from the payer's account brought; 0 when the account is charged in place of an invoice. */
  ledgerPaidCents: Cents
  /** The part of `refundedCents` that went back to the payer's account. */
  ledgerRefundedCents: Cents
}

/** Returns the amount that came through the payment gateway and was not refunded through it, in cents. */
export function leftAtGateway({ gatewayPaidCents, gatewayRefundedCents }: FiguresByWay): Cents {
  return minus(gatewayPaidCents, gatewayRefundedCents)
}

/** Returns the amount that was paid outside of the payment gateway and was not refunded outside of it, in cents. */
export function leftOffline(figures: FiguresByWay): Cents {
  const { amountPaidCents, refundedCents, gatewayPaidCents, gatewayRefundedCents } = figures
  return minus(minus(amountPaidCents, gatewayPaidCents), minus(refundedCents, gatewayRefundedCents))
}

/**
 * Returns the amount that can be refunded by hand, in cents: it was paid neither through the payment gateway nor from the payer's
 * account, and was not refunded. Money from the account goes back only to the account.
 */
export function leftByHand(figures: FiguresByWay): Cents {
  const { amountPaidCents, refundedCents, gatewayPaidCents, gatewayRefundedCents } = figures
  const paid = minus(minus(amountPaidCents, gatewayPaidCents), figures.ledgerPaidCents)
  const refunded = minus(minus(refundedCents, gatewayRefundedCents), figures.ledgerRefundedCents)
  return cents(Math.min(leftOffline(figures), minus(paid, refunded)))
}

/**
 * Returns whether a recorded payment can be reversed in full: none of its money was refunded, or the other payments cover the refunds.
 */
export function isReversible(
  figures: FiguresByWay,
  { method, amountCents }: { method: StoredMethod; amountCents: Cents },
): boolean {
  return amountCents <= (method === 'ledger' ? leftOffline(figures) : leftByHand(figures))
}

/** How a payment came: through the payment gateway (`processor`) or outside of it (`offline`), and by which method. */
export interface CameBy {
  way: 'processor' | 'offline'
  method: StoredMethod
}

/** Returns the figures after a payment, or with a negative amount after a part of it was taken back. */
export function afterPayment(figures: FiguresByWay, { way, method }: CameBy, amountCents: Cents): FiguresByWay {
  const { amountPaidCents, gatewayPaidCents, ledgerPaidCents } = figures
  return {
    ...figures,
    amountPaidCents: plus(amountPaidCents, amountCents),
    gatewayPaidCents: way === 'processor' ? plus(gatewayPaidCents, amountCents) : gatewayPaidCents,
    ledgerPaidCents: method === 'ledger' ? plus(ledgerPaidCents, amountCents) : ledgerPaidCents,
  }
}

export type LedgerProblem = 'exceeds_due' | 'exceeds_balance' | 'leaves_too_little'

/**
 * Returns why an amount cannot be paid from an account with this balance; null when it can. It is at most the amount due and the
 * balance, and leaves either nothing or an amount that the payment gateway can collect. Implements interface §Invoices.
 */
export function ledgerProblem(figures: InvoiceFigures, amountCents: Cents, balanceCents: Cents): LedgerProblem | null {
  const due = balanceOf(figures)
  if (amountCents > due) return 'exceeds_due'
  if (amountCents > balanceCents) return 'exceeds_balance'
  const left = minus(due, amountCents)
  return left > 0 && left < LEAST_SHARE_CENTS ? 'leaves_too_little' : null
}

/**
 * Returns how much of an amount due an account pays by itself, in cents: as much as its balance allows. When less than the payment
 * gateway collects would be left, it pays less, so that the gateway can collect the rest; 0 when that leaves nothing to pay.
 */
export function automaticPart(dueCents: Cents, balanceCents: Cents): Cents {
  if (balanceCents >= dueCents) return dueCents > 0 ? dueCents : ZERO
  const most = minus(dueCents, LEAST_SHARE_CENTS)
  return cents(Math.max(0, Math.min(balanceCents, most)))
}

/** A payment outside of the payment gateway, in cents. */
export interface OfflinePayment {
  amountCents: Cents
  reversedCents: Cents
  refundedCents: Cents
}

/**
 * Returns the refunded amount of each offline payment (oldest first) when their refunds add up to `refundedCents`. An increase is
 * assigned to the latest payments first, as refunds to cards are. A decrease is deducted from the oldest payments first, which undoes
 * the refund before. An amount that fits no payment stays on the last one in this order, and the database refuses it.
 */
export function spreadRefunds(payments: readonly OfflinePayment[], refundedCents: Cents): Cents[] {
  const spread = payments.map((one) => one.refundedCents)
  let more = minus(refundedCents, sum(spread))
  const order = [...spread.keys()]
  if (more > 0) order.reverse()
  for (const [nth, index] of order.entries()) {
    const { amountCents, reversedCents, refundedCents: before } = payments[index]!
    const room = minus(minus(amountCents, reversedCents), before)
    const fits = more > 0 ? Math.min(more, room) : Math.max(more, -before)
    const part = nth === order.length - 1 ? more : cents(fits)
    spread[index] = plus(before, part)
    more = minus(more, part)
  }
  return spread
}
