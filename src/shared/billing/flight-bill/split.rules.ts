import { splitByWeights } from '../../platform/kernel/money.ts'

/**
 * Divides several charges among payers by one set of weights: a row for each charge, a column for each payer. Every
 * row adds up to its charge; every column adds up to that payer's part of the total, rounded down to the cent, and the
 * leader (the first who carries anything) has the remainder. No part is negative.
 */
export function splitCharges(amounts: readonly number[], weights: readonly number[]): number[][] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  const weight = BigInt(weights.reduce((sum, one) => sum + one, 0))
  const parts = amounts.map((amount) => weights.map((one) => Number((BigInt(amount) * BigInt(one)) / weight)))
  const missing = splitByWeights(total, weights).map(
    (share, payer) => share - parts.reduce((sum, row) => sum + (row[payer] ?? 0), 0),
  )
  return parts.map((row, charge) =>
    handOut(row, (amounts[charge] ?? 0) - row.reduce((sum, part) => sum + part, 0), missing),
  )
}

/** Hands the cents that rounding left of one charge to the payers whose total still lacks them, the last ones first. */
function handOut(row: readonly number[], left: number, missing: number[]): number[] {
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
