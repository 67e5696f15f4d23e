import { multiplyShare } from '../../platform/kernel/money.ts'
import { type BasisPoints, type Cents, ZERO } from '../../platform/kernel/units.ts'

/**
 * A tax that an organization adds to its invoices. `appliesTo`: the kinds of line that are taxed; empty: all.
 * `locationIds`: the locations where it applies; empty: everywhere.
 */
export interface TaxRate {
  name: string
  basisPoints: BasisPoints
  appliesTo: readonly string[]
  locationIds: readonly number[]
}

/** The facts that decide which taxes a payer's lines have. */
export interface TaxTerms {
  rates: readonly TaxRate[]
  /** Whether the payer is exempt from all of them. */
  exempt: boolean
  /** The location of the flight; null when there is no flight or its location is unknown. */
  locationId: number | null
}

/**
 * Returns each rate in basis points, in the order of `rates`; null for a rate that does not apply. A rate applies when
 * it covers this kind of line and this location, and the payer is not exempt.
 * Implements interface §Invoices, taxes.
 */
export function ratesOn(kind: string, { rates, exempt, locationId }: TaxTerms): (BasisPoints | null)[] {
  return rates.map(({ basisPoints, appliesTo, locationIds }) => {
    const there = locationId !== null && locationIds.includes(locationId)
    const taxed = (appliesTo.length === 0 || appliesTo.includes(kind)) && (locationIds.length === 0 || there) && !exempt
    return taxed ? basisPoints : null
  })
}

/**
 * Returns the tax on an amount per rate, in cents; 0 where the rate is null. Each tax is rounded separately, half away
 * from zero. `whole` is the amount as a share of the amount without taxes, in basis points: 10,000 when it excludes
 * taxes, more when it includes them.
 */
export function taxesOn(amount: Cents, rates: readonly (BasisPoints | null)[], whole = 10_000): Cents[] {
  return rates.map((rate) => (rate === null ? ZERO : multiplyShare(amount, rate, whole)))
}
