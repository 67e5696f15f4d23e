import { multiplyPrice } from '../kernel/money.ts'
import type { BillProblem, InvoiceLine } from './charge-facts.ts'
import { LEAST_SHARE_CENTS } from './flight-bill.rules.ts'

/** A line as somebody writes it: `quantityHundredths` of `unit` at `unitPrice` cents, negative for a discount. */
export interface ItemInput {
  /** A line of the invoice that this one is of: it keeps what kind of charge it is. */
  id?: number | undefined
  description: string
  quantityHundredths: number
  unit: string
  unitPrice: number
}

/** The most that one invoice comes to, and one line of it either way: what the processor collects at once. */
export const MOST_CENTS = 99_999_999

/** What a line is that nobody charged for a flight. */
const PLAIN_KIND = 'other'

/**
 * Written lines as they are billed, or what is wrong with them. Discounts may not outweigh what is charged: an invoice
 * comes to 50 cents at least.
 */
export function linesOf(
  items: readonly ItemInput[],
  present: readonly { id: number; kind: string }[] = [],
): { lines: InvoiceLine[]; problems: BillProblem[] } {
  const strange = items.flatMap((item, index): BillProblem[] => {
    if (item.id === undefined || present.some(({ id }) => id === item.id)) return []
    return [{ field: `items.${index}.id`, message: `items.${index}.id: the invoice has no such line` }]
  })
  const lines = items.map(({ id, ...item }) => ({
    ...item,
    kind: present.find((line) => line.id === id)?.kind ?? PLAIN_KIND,
    amountCents: multiplyPrice(item.quantityHundredths, item.unitPrice),
  }))
  const totalCents = lines.reduce((sum, line) => sum + line.amountCents, 0)
  return { lines, problems: [...strange, ...outOfBounds(lines, totalCents)] }
}

function outOfBounds(lines: readonly InvoiceLine[], totalCents: number): BillProblem[] {
  const problem = (message: string, field = 'items') => [{ field, message: `${field}: ${message}` }]
  if (totalCents < LEAST_SHARE_CENTS) return problem(`must come to ${LEAST_SHARE_CENTS} cents at least`)
  const most = `must come to ${MOST_CENTS} cents at most`
  if (totalCents > MOST_CENTS) return problem(most)
  return lines.flatMap(({ amountCents }, index) =>
    Math.abs(amountCents) > MOST_CENTS ? problem(most, `items.${index}`) : [],
  )
}
