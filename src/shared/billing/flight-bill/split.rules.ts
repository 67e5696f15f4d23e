import { splitByWeights } from '../../platform/kernel/money.ts'
import type { Cents } from '../../platform/kernel/units.ts'

/**
 * Divides charges (cents) by one set of weights: one row per charge, one column per payer. Each row adds up to its
 * charge; each column adds up to the payer's part of the total, rounded down to the cent, and the leading payer (the
 * first with a weight) gets the remainder. No part is negative.
 * Implements interface §Reservations, personnel rule 5.
 */
export function splitCharges(amounts: readonly Cents[], weights: readonly number[]): Cents[][] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  const weight = BigInt(weights.reduce((sum, one) => sum + one, 0))
  const parts = amounts.map((amount) => weights.map((one) => Number((BigInt(amount) * BigInt(one)) / weight)))
  const missing = splitByWeights(total, weights).map(
    (share, payer) => share - parts.reduce((sum, row) => sum + (row[payer] ?? 0), 0),
  )
  return parts.map((row, charge) =>
    distributeRemainder(row, (amounts[charge] ?? 0) - row.reduce((sum, part) => sum + part, 0), missing),
  )
}

/**
 * Distributes one charge's rounding cents to payers whose total still lacks cents, from the last payer to the first.
 */
function distributeRemainder(row: readonly Cents[], left: Cents, missing: Cents[]): Cents[] {
  const filled = [...row]
  let open = left
  for (let payer = row.length - 1; payer >= 0; payer--) {
    const cents = Math.min(open, missing[payer] ?? 0)
    filled[payer] = (filled[payer] ?? 0) + cents
    missing[payer] = (missing[payer] ?? 0) - cents
    open -= cents
  }
  return filled
}
