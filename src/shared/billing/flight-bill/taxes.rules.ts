import { ratesOn, type TaxTerms, taxesOn } from '../../identity/organizations/taxes.rules.ts'
import { type BasisPoints, type Cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import type { InvoiceLine, TaxedLine, TaxTotal } from './flight-bill.types.ts'

/** Lines with their taxes: net amounts and taxes add up to what the payer owes. */
export interface Taxed<Line extends InvoiceLine> {
  lines: (Line & TaxedLine)[]
  taxes: TaxTotal[]
  /** The taxes of all rates, in cents. */
  taxCents: Cents
  /** The amounts with taxes, in cents. */
  totalCents: Cents
}

/**
 * The kinds of line whose agreed price includes taxes. `package`: a flight that is paid in advance, or a package of credit or hours.
 * `package_shortfall`: the part of a package that was used beyond its paid part. Both are taxed as `package`.
 */
const INCLUSIVE_KIND = 'package'
const inclusiveKinds = [INCLUSIVE_KIND, 'package_shortfall']

/** Returns whether the agreed price of a line of this kind includes its taxes. */
export function includesTaxes(kind: string): boolean {
  return inclusiveKinds.includes(kind)
}

/** The kind of line that is not taxed itself: a package credit, which reduces the taxed amounts of the lines that it covers. */
const UNTAXED_KIND = 'package_credit'

/**
 * Returns one payer's lines with the taxes of the rates that apply to each line. The price of a package includes its taxes: the
 * amount of its line is reduced by them.
 * Implements interface §Invoices, taxes.
 */
export function taxLines<Line extends InvoiceLine>(lines: readonly Line[], terms: TaxTerms): Taxed<Line> {
  const totals = terms.rates.map(({ name, basisPoints }): TaxTotal => {
    return { name, basisPoints, taxableCents: ZERO, taxCents: ZERO }
  })
  const taxed = lines.map((line) => {
    const inclusive = includesTaxes(line.kind)
    const kind = inclusive ? INCLUSIVE_KIND : line.kind
    const applied = ratesOn(kind, { ...terms, exempt: terms.exempt || kind === UNTAXED_KIND })
    const whole = inclusive ? 10_000 + sumOf(applied) : 10_000
    const base = line.taxableCents ?? line.amountCents
    const taxes = taxesOn(base, applied, whole)
    const taxCents = sum(taxes)
    const net = inclusive ? minus(line.amountCents, taxCents) : line.amountCents
    for (const [index, total] of totals.entries()) {
      if (applied[index] === null) continue
      total.taxableCents = plus(total.taxableCents, inclusive ? net : base)
      total.taxCents = plus(total.taxCents, taxes[index] ?? ZERO)
    }
    return inclusive ? { ...line, unitPrice: net, amountCents: net, taxCents } : { ...line, taxCents }
  })
  const taxCents = sum(taxed.map((line) => line.taxCents))
  return {
    lines: taxed,
    taxes: totals.filter(({ taxableCents }) => taxableCents !== 0),
    taxCents,
    totalCents: plus(sum(taxed.map((line) => line.amountCents)), taxCents),
  }
}

/** Returns the taxes of several payers added up per rate, in the order in which the rates first appear. */
export function addTaxes(taxes: readonly TaxTotal[]): TaxTotal[] {
  const totals: TaxTotal[] = []
  for (const tax of taxes) {
    const total = totals.find(({ name, basisPoints }) => name === tax.name && basisPoints === tax.basisPoints)
    if (!total) totals.push({ ...tax })
    else {
      total.taxableCents = plus(total.taxableCents, tax.taxableCents)
      total.taxCents = plus(total.taxCents, tax.taxCents)
    }
  }
  return totals
}

function sumOf(rates: readonly (BasisPoints | null)[]): number {
  return rates.reduce<number>((total, rate) => total + (rate ?? 0), 0)
}
