import { multiplyPrice } from '../../platform/kernel/money.ts'
import type { BillProblem, InvoiceLine } from '../flight-bill/charge-facts.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import { MOST_CENTS, outOfBounds } from './bill-bounds.rules.ts'

/** A line as somebody writes it: `quantityHundredths` of `unit` at `unitPrice` cents, negative for a discount. */
export interface ItemInput {
  /** A line of the invoice that this one is of: it keeps what kind of charge it is. */
  id?: number | undefined
  description: string
  quantityHundredths: number
  unit: string
  unitPrice: number
}

const names = { total: 'items', lines: 'items' }

/** What a line is that nobody charged for a flight. */
const PLAIN_KIND = 'other'

/**
 * Written lines as they are billed, or what is wrong with them. Discounts may not outweigh what is charged: an invoice
 * comes to 50 cents at least, and to `mostCents` at most, as does each line either way.
 */
export function linesOf(
  items: readonly ItemInput[],
  present: readonly { id: number; kind: string }[] = [],
  mostCents = MOST_CENTS,
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
  const small = { field: 'items', message: `items: must come to ${LEAST_SHARE_CENTS} cents at least` }
  const bounds = totalCents < LEAST_SHARE_CENTS ? [small] : outOfBounds(lines, mostCents, names)
  return { lines, problems: [...strange, ...bounds] }
}
