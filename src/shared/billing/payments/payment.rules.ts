import { type Cents, cents, minus, plus, sum } from '../../platform/kernel/units.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import { balanceOf, type InvoiceFigures } from '../invoices/invoice-figures.rules.ts'

/** The methods of payments outside of the payment gateway. The gateway reports its own payments as `card` or `other`. */
export const outsideMethods = ['cash', 'check', 'card', 'other'] as const
export type OutsideMethod = (typeof outsideMethods)[number]

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

/** Returns the figures after a payment through the payment gateway (`processor`) or outside of it (`offline`). */
export function afterPayment(figures: FiguresByWay, way: 'processor' | 'offline', amountCents: Cents): FiguresByWay {
  return {
    ...figures,
    amountPaidCents: plus(figures.amountPaidCents, amountCents),
    gatewayPaidCents: way === 'processor' ? plus(figures.gatewayPaidCents, amountCents) : figures.gatewayPaidCents,
  }
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
