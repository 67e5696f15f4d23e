import { formatTenths, hundredthsFromTenths } from '../../platform/kernel/hours.ts'
import { formatMoney } from '../../platform/kernel/money.ts'
import { type Cents, cents, hundredths, sum, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { MOST_CENTS, outOfBounds } from './bill-bounds.rules.ts'
import { chargesOf } from './charges.rules.ts'
import {
  type BillLine,
  type Charge,
  type FlightBill,
  type FlightCharge,
  type Payer,
  samePayer,
} from './flight-bill.types.ts'
import { splitCharges } from './split.rules.ts'
import { allocateCosts, type CostAllocation } from './stakes.rules.ts'
import { type TaxTerms, taxLines } from './taxes.rules.ts'

/** The smallest amount in cents that the payment gateway accepts. Implements interface §Reservations rule 3. */
export const LEAST_SHARE_CENTS = cents(50)

/**
 * Returns the bill of a flight, used by the breakdown and the invoices alike. The leading payer gets the remainder of
 * an uneven division, and each payer's lines are taxed by themselves. Shares below 50 cents stay in the breakdown with a warning and are not invoiced. When the stakes
 * cannot be applied, `problems` says what to fix and the lines have no payer; a total or a line out of bounds is a
 * problem too.
 * Implements interface §Reservations rules 3–5.
 */
export function chargeFlight(flight: FlightCharge): FlightBill {
  const { charges, warnings } = chargesOf(flight)
  const totalCents = sum(charges.map(({ amountCents }) => amountCents))
  const allocation = allocateCosts(flight)
  const tooLarge = (taxCents: Cents = ZERO) =>
    outOfBounds(charges, MOST_CENTS, { total: 'totalCents', lines: 'lines' }, taxCents)
  if (allocation.problems) {
    const lines = charges.map((charge) => wholeLine(charge, null))
    return { lines, totalCents, shares: [], warnings, problems: [...allocation.problems, ...tooLarge()] }
  }
  const { chargeRules, currency } = flight.settings
  const parts = divide(charges, allocation, chargeRules)
  const bills = flight.payers.map((payer, column) => {
    const lines = charges.flatMap((charge, row) =>
      lineOf(charge, parts[row]?.[column] ?? ZERO, { payer, row, currency }),
    )
    return { payer, ...taxLines(lines, termsOf(flight, payer)) }
  })
  const shares = bills
    .map(({ payer, totalCents: amountCents, taxes }) => ({ payer, amountCents, taxes }))
    .filter((share) => share.amountCents > 0)
  return {
    lines: bills
      .flatMap(({ lines }) => lines)
      .sort((a, b) => a.row - b.row)
      .map(({ row: _row, ...line }) => line),
    totalCents: sum(shares.map(({ amountCents }) => amountCents)),
    shares,
    warnings: [...warnings, ...tooSmall(shares, currency)],
    problems: tooLarge(sum(bills.map(({ taxCents }) => taxCents))),
  }
}

function termsOf({ settings, locationId, taxExempt }: FlightCharge, payer: Payer): TaxTerms {
  return { rates: settings.taxRates, locationId, exempt: taxExempt.some((one) => samePayer(one, payer)) }
}

/** Whether a share is large enough to be invoiced. Implements interface §Reservations rule 3. */
export function isBillable(share: { amountCents: Cents }): boolean {
  return share.amountCents >= LEAST_SHARE_CENTS
}

type Weighed = Extract<CostAllocation, { problems: null }>

/**
 * Returns cents: one row per charge, aircraft charges first, and one column per payer. Percentages divide the total.
 * Otherwise the hours flown or the organization's charge rules divide each kind of charge.
 */
function divide(
  charges: readonly Charge[],
  { by, weights }: Weighed,
  chargeRules: FlightCharge['settings']['chargeRules'],
): Cents[][] {
  if (by === 'total') return splitAll(charges, weights)
  const leader = weights.findIndex((weight) => weight > 0)
  const leaderAlone = weights.map((_, payer) => (payer === leader ? 1 : 0))
  return (['aircraft', 'instruction'] as const).flatMap((rule) =>
    splitAll(
      charges.filter((charge) => charge.rule === rule),
      by === 'rule' && chargeRules[rule] === 'one_payer' ? leaderAlone : weights,
    ),
  )
}

function splitAll(charges: readonly Charge[], weights: readonly number[]): Cents[][] {
  return splitCharges(
    charges.map((charge) => charge.amountCents),
    weights,
  )
}

/** A line of a bill with the place of its charge. */
type PlacedLine = BillLine & { row: number }

/**
 * Returns a payer's lines of a charge: none for an amount of 0, the charge itself for the whole amount, otherwise a
 * share.
 */
function lineOf(
  charge: Charge,
  amountCents: Cents,
  { payer, row, currency }: { payer: Payer; row: number; currency: string },
): PlacedLine[] {
  if (amountCents === 0) return []
  if (amountCents === charge.amountCents) return [{ ...wholeLine(charge, payer), row }]
  const rate = `${formatTenths(charge.deciHours)} h at ${formatMoney(charge.rateCents, currency)}`
  const description = `${charge.description}, share of ${rate}`
  const { kind } = charge
  return [
    {
      kind,
      description,
      quantityHundredths: hundredths(100),
      unit: 'share',
      unitPrice: amountCents,
      amountCents,
      taxCents: ZERO,
      payer,
      row,
    },
  ]
}

function wholeLine({ kind, description, deciHours, rateCents, amountCents }: Charge, payer: Payer | null): BillLine {
  const quantityHundredths = hundredthsFromTenths(deciHours)
  const taxCents = ZERO
  return { kind, description, quantityHundredths, unit: 'hour', unitPrice: rateCents, amountCents, taxCents, payer }
}

function tooSmall(shares: FlightBill['shares'], currency: string): string[] {
  return shares
    .filter((share) => !isBillable(share))
    .map(({ payer, amountCents }) => {
      const [amount, least] = [formatMoney(amountCents, currency), formatMoney(LEAST_SHARE_CENTS, currency)]
      return billingErrors.shareTooSmall({ payer: payer.name, amount, least })
    })
}
