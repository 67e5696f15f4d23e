import { type Cents, cents, sum, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import type { BillProblem } from './flight-bill.types.ts'

/** The largest bill in cents, and the largest line in either direction: sums up to it fit their columns. */
export const MOST_CENTS = cents(2_000_000_000)

/** The largest amount in cents that the payment gateway collects at once, and the largest line in either direction. */
export const MOST_AT_GATEWAY_CENTS = cents(99_999_999)

/**
 * Returns the problems of amounts (cents) above `mostCents`: one problem for the total, in field `names.total`, or else
 * one per line, in field `<names.lines>.<index>`. The total includes `taxCents`. A line counts in either direction.
 * Implements interface §Limits (largest bill).
 */
export function outOfBounds(
  lines: readonly { amountCents: Cents }[],
  mostCents: Cents,
  names: { total: string; lines: string },
  taxCents: Cents = ZERO,
): BillProblem[] {
  const problem = (field: string) => ({ field, message: billingErrors.amountTooLarge({ field, most: mostCents }) })
  const totalCents = sum([...lines.map(({ amountCents }) => amountCents), taxCents])
  if (totalCents > mostCents) return [problem(names.total)]
  return lines.flatMap(({ amountCents }, index) =>
    Math.abs(amountCents) > mostCents ? [problem(`${names.lines}.${index}`)] : [],
  )
}
