/** The least that Stripe charges where it is more than 50, in the currency's smallest unit. */
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
 * The least that an invoice in this currency must come to, in its smallest unit: below it Stripe collects nothing, but
 * marks the invoice paid and has the payer owe the amount on the next one. Never below 50, which is our own least.
 */
export function leastCharge(currency: string): number {
  return LEAST[currency] ?? LEAST_ELSEWHERE
}
