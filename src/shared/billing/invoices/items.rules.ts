import { multiplyPrice } from '../../platform/kernel/money.ts'
import { type Cents, type Hundredths, sum } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { MOST_CENTS, outOfBounds } from '../flight-bill/bill-bounds.rules.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import type { BillProblem, InvoiceLine } from '../flight-bill/flight-bill.types.ts'

/** A line of a request: `quantityHundredths` of `unit` at `unitPrice` cents, negative for a discount. */
export interface ItemInput {
  /** The id of an existing line of the invoice, whose kind of charge is kept. */
  id?: number | undefined
  description: string
  quantityHundredths: Hundredths
  unit: string
  unitPrice: Cents
}

/** The fields of a request with lines. */
export const itemNames = { total: 'items', lines: 'items' }

/** The kind of a line that is no flight charge. */
const PLAIN_KIND = 'other'

/** Returns the problem of lines that total less than an invoice may, with their taxes; null when there is none. */
export function tooLittle(totalCents: Cents): BillProblem | null {
  if (totalCents >= LEAST_SHARE_CENTS) return null
  return { field: 'items', message: billingErrors.itemsTooSmall({ least: LEAST_SHARE_CENTS }) }
}

/**
 * Returns the lines to bill, or their problems. An invoice totals at least 50 cents, discounts included, and at most
 * `mostCents`; so does each line in either direction.
 * Implements interface §Invoices, POST /invoices.
 */
export function linesOf(
  items: readonly ItemInput[],
  present: readonly { id: number; kind: string }[] = [],
  mostCents = MOST_CENTS,
): { lines: InvoiceLine[]; problems: BillProblem[] } {
  const strange = items.flatMap((item, index): BillProblem[] => {
    if (item.id === undefined || present.some(({ id }) => id === item.id)) return []
    const field = `items.${index}.id`
    return [{ field, message: billingErrors.noSuchLine({ field }) }]
  })
  const lines = items.map(({ id, ...item }) => ({
    ...item,
    kind: present.find((line) => line.id === id)?.kind ?? PLAIN_KIND,
    amountCents: multiplyPrice(item.quantityHundredths, item.unitPrice),
  }))
  const small = tooLittle(sum(lines.map(({ amountCents }) => amountCents)))
  const bounds = small ? [small] : outOfBounds(lines, mostCents, itemNames)
  return { lines, problems: [...strange, ...bounds] }
}
