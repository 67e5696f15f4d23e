import { multiplyShare } from '../../platform/kernel/money.ts'
import { type BasisPoints, type Cents, ZERO } from '../../platform/kernel/units.ts'

/** A tax that an organization adds to its invoices: on the kinds of line that it names, or all, at its locations, or anywhere. */
export interface TaxRate {
  name: string
  basisPoints: BasisPoints
  appliesTo: readonly string[]
  locationIds: readonly number[]
}

/** What decides which rates apply to a payer's lines. */
export interface TaxTerms {
  rates: readonly TaxRate[]
  /** Whether the payer is exempt from all of them. */
  exempt: boolean
  /** Where the flight is; null for what is no flight. */
  locationId: number | null
}

/**
 * Returns the rates in their order, null for each that does not apply to a kind of line: a rate applies to the kinds that
 * it names, or to all, and at the locations that it names, or anywhere. Implements interface §Invoices, taxes.
 */
export function ratesOn(kind: string, { rates, exempt, locationId }: TaxTerms): (BasisPoints | null)[] {
  return rates.map(({ basisPoints, appliesTo, locationIds }) => {
    const there = locationId !== null && locationIds.includes(locationId)
    const taxed = (appliesTo.length === 0 || appliesTo.includes(kind)) && (locationIds.length === 0 || there) && !exempt
    return taxed ? basisPoints : null
  })
}

/**
 * Returns the taxes on an amount in cents: each rate by itself, rounded half up by absolute value; 0 for null. `whole` is
 * what the amount is, in basis points of itself without taxes: 10,000 unless it includes them.
 */
export function taxesOn(amount: Cents, rates: readonly (BasisPoints | null)[], whole = 10_000): Cents[] {
  return rates.map((rate) => (rate === null ? ZERO : multiplyShare(amount, rate, whole)))
}
