import type { GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import { type Cents, cents, minus, sum, ZERO } from '../../platform/kernel/units.ts'

/** A payment of a gateway invoice that is stored here. */
export interface KnownPayment {
  id: number
  /** The gateway's id of the payment; null: the gateway reported only the invoice, and this row stands for all payments of it. */
  gatewayPayment: string | null
  amountCents: Cents
  reversedCents: Cents
}

/**
 * Returns the payments of a gateway invoice that are not stored yet. The result depends only on the gateway's present state, not on
 * the order of events. Implements interface §Invoices.
 */
export function paymentsToAdd(
  known: readonly KnownPayment[],
  { payments }: Pick<GatewayMoney, 'payments'>,
): GatewayMoney['payments'] {
  if (known.some(({ gatewayPayment }) => gatewayPayment === null)) return []
  const isKnown = (id: string) => known.some(({ gatewayPayment }) => gatewayPayment === id)
  return payments.filter(({ id, paidCents }) => paidCents > 0 && !isKnown(id))
}

/**
 * Returns the stored payments whose reversed amount changes, with the new amount in cents. The amounts of lost disputes are reversed;
 * open and won disputes reverse nothing. Implements interface §Invoices.
 */
export function reversalsOf(
  known: readonly KnownPayment[],
  { disputes }: GatewayMoney,
): { id: number; cents: Cents }[] {
  let lost = sum(disputes.filter(({ status }) => status === 'lost').map(({ amountCents }) => amountCents))
  return known.flatMap(({ id, amountCents, reversedCents }) => {
    const taken = cents(Math.min(lost, amountCents))
    lost = minus(lost, taken)
    return taken === reversedCents ? [] : [{ id, cents: taken }]
  })
}

/**
 * Returns whether the gateway's invoice is marked as paid although only a part of its total was paid there. The rest was marked as paid
 * outside of the gateway, so that nobody can pay it.
 */
export function isClosedInPart({ invoice, payments }: Pick<GatewayMoney, 'invoice' | 'payments'>): boolean {
  const paidCents = sum(payments.map((payment) => payment.paidCents))
  return invoice.status === 'paid' && paidCents > 0 && paidCents < invoice.totalCents
}

/** Returns the amount that was refunded at the gateway itself, in cents: refunds without a key of this service. */
export function refundedOutside({ refunds }: GatewayMoney): Cents {
  return sum(refunds.filter(({ key }) => key === null).map(({ amountCents }) => amountCents))
}

/** Returns the latest dispute; null when there is none. */
export function latestDispute({ disputes }: Pick<GatewayMoney, 'disputes'>): GatewayMoney['disputes'][number] | null {
  return disputes.at(-1) ?? null
}

/** Returns the part of a payment above the amount due, in cents: the increase of the amount owed back. */
export function overpaidBy(owedBackBefore: Cents, owedBackAfter: Cents): Cents {
  const over = minus(owedBackAfter, owedBackBefore)
  return over > 0 ? over : ZERO
}
