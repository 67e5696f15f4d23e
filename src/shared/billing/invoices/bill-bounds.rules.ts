import type { BillProblem } from '../flight-bill/charge-facts.ts'

/** The most that one bill comes to, and one line of it either way: sums up to here fit their columns. */
export const MOST_CENTS = 2_000_000_000

/** The most that the payment processor collects at once, and takes as one line either way. */
export const MOST_AT_PROCESSOR_CENTS = 99_999_999

/**
 * What of a bill leaves the bounds of `mostCents`: its total, told under the name `total`, or else single lines, told as
 * `<lines>.<index>`. Implements interface §Money: a bill and a line have at most 2,000,000,000 cents.
 */
export function outOfBounds(
  lines: readonly { amountCents: number }[],
  mostCents: number,
  names: { total: string; lines: string },
): BillProblem[] {
  const problem = (field: string) => ({ field, message: `${field}: must come to ${mostCents} cents at most` })
  const totalCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
  if (totalCents > mostCents) return [problem(names.total)]
  return lines.flatMap(({ amountCents }, index) =>
    Math.abs(amountCents) > mostCents ? [problem(`${names.lines}.${index}`)] : [],
  )
}
