/** Stripe's minimum charges above 50, in the currency's smallest unit. */
const LEAST: Record<string, number> = {
  aed: 200,
  bgn: 100,
  czk: 1_500,
  dkk: 250,
  hkd: 400,
  huf: 17_500,
  mxn: 1_000,
  myr: 200,
  nok: 300,
  pln: 200,
  ron: 200,
  sek: 300,
  thb: 1_000,
}
const LEAST_ELSEWHERE = 50

/**
 * Returns the smallest amount of an invoice in a currency, in its smallest unit. Below it Stripe collects nothing, but
 * marks the invoice paid and adds the amount to the payer's next one. It is at least 50, our own minimum.
 */
export function leastCharge(currency: string): number {
  return LEAST[currency] ?? LEAST_ELSEWHERE
}
