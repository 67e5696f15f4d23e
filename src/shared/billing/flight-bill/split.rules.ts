import { splitByWeights } from '../../platform/kernel/money.ts'
import { type Cents, cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'

/**
 * Divides charges (cents) by one set of weights: one row per charge, one column per payer. Each row adds up to its
 * charge; each column adds up to the payer's part of the total, rounded down to the cent, and the leading payer (the
 * first with a weight) gets the remainder. No part is negative.
 * Implements interface §Reservations, personnel rule 5.
 */
export function splitCharges(amounts: readonly Cents[], weights: readonly number[]): Cents[][] {
  const total = sum(amounts)
  const weight = BigInt(weights.reduce((all, one) => all + one, 0))
  const parts = amounts.map((amount) => weights.map((one) => cents(Number((BigInt(amount) * BigInt(one)) / weight))))
  const missing = splitByWeights(total, weights).map((share, payer) =>
    minus(share, sum(parts.map((row) => row[payer] ?? ZERO))),
  )
  return parts.map((row, charge) => distributeRemainder(row, minus(amounts[charge] ?? ZERO, sum(row)), missing))
}

/**
 * Distributes one charge's rounding cents to payers whose total still lacks cents, from the last payer to the first.
 */
function distributeRemainder(row: readonly Cents[], left: Cents, missing: Cents[]): Cents[] {
  const filled = [...row]
  let open = left
  for (let payer = row.length - 1; payer >= 0; payer--) {
    const lacking = missing[payer] ?? ZERO
    const part = lacking < open ? lacking : open
    filled[payer] = plus(filled[payer] ?? ZERO, part)
    missing[payer] = minus(lacking, part)
    open = minus(open, part)
  }
  return filled
}
