import type { Sentence } from '../../platform/kernel/errors.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
/** When an offering is charged, and its price in cents. */
export interface Pricing {
  collectionStyle: 'close_out' | 'prepaid_fixed'
  priceCents: Cents | null
}

/** The lowest price of a package, in cents: the lowest amount that the payment gateway charges to a card. */
export const LEAST_PACKAGE_CENTS = 50

/**
 * Returns the problem of a pricing, which names the field; null when it is valid. A prepaid offering needs a price of at
 * least 50 cents. Implements interface §Reservation, `prepaidAmountCents`.
 */
export function pricingProblem({ collectionStyle, priceCents }: Pricing): Sentence | null {
  if (collectionStyle !== 'prepaid_fixed' || (priceCents !== null && priceCents >= LEAST_PACKAGE_CENTS)) return null
  return schedulingErrors.packagePriceTooLow({ minimum: LEAST_PACKAGE_CENTS })
}
