import { ratesOn, type TaxTerms, taxesOn } from '../../identity/organizations/taxes.rules.ts'
import { type BasisPoints, type Cents, minus, plus, sum, ZERO } from '../../platform/kernel/units.ts'
import type { InvoiceLine, TaxedLine, TaxTotal } from './flight-bill.types.ts'

/** Lines with their taxes: net amounts and taxes add up to what the payer owes. */
export interface Taxed<Line extends InvoiceLine> {
  lines: (Line & TaxedLine)[]
  taxes: TaxTotal[]
  /** Of all rates, in cents. */
  taxCents: Cents
  /** With taxes, in cents. */
  totalCents: Cents
}

/**
 * The lines whose price is agreed with its taxes: a flight that is paid in advance, a package of credit, and what was used of
 * one beyond what stays paid. They are taxed as the first.
 */
const INCLUSIVE_KIND = 'package'
const inclusiveKinds = [INCLUSIVE_KIND, 'package_shortfall']

/** Returns whether the price of such a line is agreed with its taxes. */
export function includesTaxes(kind: string): boolean {
  return inclusiveKinds.includes(kind)
}

/** The lines that are no charge: what a package covers lessens the taxed amount of the lines that it covers. */
const UNTAXED_KIND = 'package_credit'

/**
 * Works out the taxes of one payer's lines: those of the rates that apply to each. The price of a package includes its
 * taxes, so that its line becomes smaller by them.
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

/** Returns the taxes of several payers by rate, in the order in which the rates first appear. */
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
