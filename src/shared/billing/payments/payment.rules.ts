import { type Cents, cents, minus, plus, sum } from '../../platform/kernel/units.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import { balanceOf, type InvoiceFigures } from '../invoices/invoice-figures.rules.ts'

/** How money comes in past the payment gateway; what comes through it is `card` or `other` by the gateway's word. */
export const outsideMethods = ['cash', 'check', 'card', 'other'] as const
export type OutsideMethod = (typeof outsideMethods)[number]

const DAY_MS = 86_400_000
/** The most days by which a payment may be older than its invoice. */
const MOST_DAYS_BEFORE = 30

/** A payment that is to be recorded, in cents. */
export interface PaymentToRecord {
  amountCents: Cents
  receivedAt: Date
}

export type PaymentProblem = 'exceeds_due' | 'leaves_too_little' | 'in_future' | 'before_invoice'

/**
 * Decides whether a payment can be recorded on an unpaid invoice; null when it can. It is at most what is due, and
 * leaves nothing or what the payment gateway can collect. It was received by now, and not more than 30 days before the
 * invoice was made. Implements interface §Invoices.
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

/** What an invoice has by each way, in cents. */
export interface FiguresByWay extends InvoiceFigures {
  /** The part of `amountPaidCents` that came through the payment gateway. */
  gatewayPaidCents: Cents
  /** The part of `refundedCents` that went back through it. */
  gatewayRefundedCents: Cents
}

/** Returns what came through the payment gateway and has not gone back through it, in cents. */
export function leftAtGateway({ gatewayPaidCents, gatewayRefundedCents }: FiguresByWay): Cents {
  return minus(gatewayPaidCents, gatewayRefundedCents)
}

/** Returns what came past the payment gateway and has not gone back, in cents. */
export function leftOffline(figures: FiguresByWay): Cents {
  const { amountPaidCents, refundedCents, gatewayPaidCents, gatewayRefundedCents } = figures
  return minus(minus(amountPaidCents, gatewayPaidCents), minus(refundedCents, gatewayRefundedCents))
}

/** Returns the figures after a payment of one way. */
export function afterPayment(figures: FiguresByWay, way: 'processor' | 'offline', amountCents: Cents): FiguresByWay {
  return {
    ...figures,
    amountPaidCents: plus(figures.amountPaidCents, amountCents),
    gatewayPaidCents: way === 'processor' ? plus(figures.gatewayPaidCents, amountCents) : figures.gatewayPaidCents,
  }
}

/** A payment past the payment gateway, in cents. */
export interface OfflinePayment {
  amountCents: Cents
  reversedCents: Cents
  refundedCents: Cents
}

/**
 * Returns what of each payment past the gateway is given back, in their order, oldest first, when `refundedCents` of all of
 * them are. More goes back of the latest first, as to cards; less comes off the oldest first, which undoes the refund before.
 * What no payment has room for stays on the one that is looked at last, for the database to refuse.
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
