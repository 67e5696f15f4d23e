import type { GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import { type Cents, cents, minus, sum, ZERO } from '../../platform/kernel/units.ts'

/** A payment of a gateway invoice that is stored here. */
export interface KnownPayment {
  id: number
  /** Null for one that the gateway reported with its invoice: it stands for all payments of it. */
  gatewayPayment: string | null
  amountCents: Cents
  reversedCents: Cents
}

/**
 * Returns the payments of a gateway invoice that are not stored yet. It depends on the gateway's present state alone, so
 * that events in any order lead to the same. Implements interface §Invoices.
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
 * Returns the stored payments whose reversed part is another now: a lost dispute takes back what its payment brought, an
 * open one or one that was won takes nothing. Implements interface §Invoices.
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
 * Returns whether the gateway has an invoice as paid of which a part came in: its rest was marked paid past the gateway, so that
 * nobody pays it.
 */
export function isClosedInPart({ invoice, payments }: Pick<GatewayMoney, 'invoice' | 'payments'>): boolean {
  const paidCents = sum(payments.map((payment) => payment.paidCents))
  return invoice.status === 'paid' && paidCents > 0 && paidCents < invoice.totalCents
}

/** Returns what the gateway gave back of an invoice on its own: refunds without a key of the service, in cents. */
export function refundedOutside({ refunds }: GatewayMoney): Cents {
  return sum(refunds.filter(({ key }) => key === null).map(({ amountCents }) => amountCents))
}

/** Returns the latest dispute; null when there is none. */
export function latestDispute({ disputes }: Pick<GatewayMoney, 'disputes'>): GatewayMoney['disputes'][number] | null {
  return disputes.at(-1) ?? null
}

/** Returns what of a payment came in above what was due: the growth of what is owed back, in cents. */
export function overpaidBy(owedBackBefore: Cents, owedBackAfter: Cents): Cents {
  const over = minus(owedBackAfter, owedBackBefore)
  return over > 0 ? over : ZERO
}
