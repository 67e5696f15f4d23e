import { multiplyPrice } from '../../platform/kernel/money.ts'
import { type Cents, type Hundredths, plus, sum } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { MOST_CENTS, outOfBounds } from '../flight-bill/charges.rules.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import type { BillProblem, InvoiceLine, TaxedLine } from '../flight-bill/flight-bill.types.ts'
import { includesTaxes } from '../flight-bill/taxes.rules.ts'

/** A line of a request: `quantityHundredths` of `unit` at `unitPrice` cents, negative for a discount. */
export interface ItemInput {
  /** The id of an existing line of the invoice, whose kind of charge is kept. */
  id?: number | undefined
  description: string
  quantityHundredths: Hundredths
  unit: string
  unitPrice: Cents
}

/** The names of the request's fields, for problems of the total and of the lines. */
export const itemNames = { total: 'items', lines: 'items' }

/** An existing line of the invoice. */
export type PresentLine = Pick<TaxedLine, 'kind' | 'quantityHundredths' | 'unitPrice' | 'amountCents' | 'taxCents'> & {
  id: number
}

/** The kind of a line that is not a flight charge. */
const PLAIN_KIND = 'other'

/** Returns the problem of lines whose total is below the minimum of an invoice; null when there is none. */
export function tooLittle(totalCents: Cents): BillProblem | null {
  if (totalCents >= LEAST_SHARE_CENTS) return null
  return { field: 'items', message: billingErrors.itemsTooSmall({ minimum: LEAST_SHARE_CENTS }) }
}

/**
 * Returns the lines to bill, and their problems. An invoice totals at least 50 cents, discounts included, and at most `mostCents`. The
 * absolute amount of a line is at most `mostCents`. The price of a package line cannot be changed.
 * Implements interface §Invoices, POST /invoices.
 */
export function linesOf(
  items: readonly ItemInput[],
  present: readonly PresentLine[] = [],
  mostCents = MOST_CENTS,
): { lines: InvoiceLine[]; problems: BillProblem[] } {
  const strange = items.flatMap((item, index): BillProblem[] => {
    if (item.id === undefined || present.some(({ id }) => id === item.id)) return []
    const field = `items.${index}.id`
    return [{ field, message: billingErrors.noSuchLine({ field }) }]
  })
  const rewritten = items.flatMap((item, index): BillProblem[] => {
    const line = packageLine(item, present)
    const again = items.findIndex(({ id }) => id === item.id) < index
    const kept = line?.unitPrice === item.unitPrice && line.quantityHundredths === item.quantityHundredths
    if (!line || (kept && !again)) return []
    const field = `items.${index}.unitPrice`
    return [{ field, message: billingErrors.packageLineKept({ field }) }]
  })
  const lines = items.map(({ id, ...item }) => {
    const kind = present.find((line) => line.id === id)?.kind ?? PLAIN_KIND
    const kept = packageLine({ id }, present)
    // The price of a package includes its taxes. They are calculated again, so the line starts with the price including taxes.
    if (kept) return { ...item, kind, unitPrice: grossOf(kept), amountCents: grossOf(kept) }
    return { ...item, kind, amountCents: multiplyPrice(item.quantityHundredths, item.unitPrice) }
  })
  const small = tooLittle(sum(lines.map(({ amountCents }) => amountCents)))
  const bounds = small ? [small] : outOfBounds(lines, mostCents, itemNames)
  return { lines, problems: [...strange, ...rewritten, ...bounds] }
}

/** Returns the line that a request names when its agreed price includes taxes, like that of a package; otherwise undefined. */
function packageLine({ id }: Pick<ItemInput, 'id'>, present: readonly PresentLine[]): PresentLine | undefined {
  return present.find((line) => line.id === id && includesTaxes(line.kind))
}

function grossOf({ amountCents, taxCents }: PresentLine): Cents {
  return plus(amountCents, taxCents)
}
