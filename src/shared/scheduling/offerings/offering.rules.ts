/** How an offering is paid for, and at what price in cents. */
export interface Pricing {
  collectionStyle: 'close_out' | 'prepaid_fixed'
  priceCents: number | null
}

/** The least that a package costs, in cents: less cannot be charged by card. */
export const LEAST_PACKAGE_CENTS = 50

/** Why an offering cannot be priced like this, naming the field; null when it can. A prepaid one needs its price. */
export function pricingProblem({ collectionStyle, priceCents }: Pricing): string | null {
  if (collectionStyle !== 'prepaid_fixed' || (priceCents !== null && priceCents >= LEAST_PACKAGE_CENTS)) return null
  return `priceCents: must be at least ${LEAST_PACKAGE_CENTS} for a prepaid offering`
}
