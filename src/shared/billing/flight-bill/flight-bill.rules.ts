import type { TaxTerms } from '../../identity/organizations/taxes.rules.ts'
import { formatTenths, hundredthsFromTenths } from '../../platform/kernel/hours.ts'
import { formatMoney, splitByWeights } from '../../platform/kernel/money.ts'
import {
  type Cents,
  cents,
  hundredths,
  minus,
  plus,
  sum,
  type Tenths,
  tenths,
  ZERO,
} from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { chargesOf, MOST_CENTS, outOfBounds } from './charges.rules.ts'
import {
  type BillLine,
  type Charge,
  type FlightBill,
  type FlightCharge,
  type Payer,
  type Share,
  samePayer,
  type TaxedLine,
} from './flight-bill.types.ts'
import { type CoverableLine, coverLines } from './packages.rules.ts'
import { allocateCosts, type CostAllocation } from './stakes.rules.ts'
import { taxLines } from './taxes.rules.ts'

/** The smallest amount in cents that the payment gateway accepts. Implements interface §Reservations rule 3. */
export const LEAST_SHARE_CENTS = cents(50)

/**
 * Returns the bill of a flight, for both the breakdown and the invoices. The leading payer gets the remainder of an uneven division.
 * Each payer's packages cover that payer's lines; the rest is taxed. Shares below 50 cents stay in the breakdown with a warning and
 * are not invoiced. When the stakes cannot be applied, `problems` says what to fix and the lines have no payer. A total or a line
 * that is too large is a problem too.
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
  const hours = charges.map((charge, row) => hoursOf(charge, parts[row] ?? []))
  const bills = flight.payers.map((payer, column) => {
    const lines = charges.flatMap((charge, row) => {
      const part = { amountCents: parts[row]?.[column] ?? ZERO, hours: hours[row]?.[column] ?? ZERO }
      return lineOf(charge, part, { payer, row, currency })
    })
    return billPayer(flight, payer, lines)
  })
  const shares = bills.map(({ share }) => share).filter(({ wholeCents }) => wholeCents > 0)
  return {
    lines: bills
      .flatMap(({ lines }) => lines)
      .sort((a, b) => a.row - b.row)
      .map(({ row: _row, hours: _hours, ...line }) => line),
    totalCents: sum(shares.map(({ amountCents }) => amountCents)),
    shares,
    warnings: [...warnings, ...tooSmall(shares, currency), ...bills.flatMap((bill) => bill.warnings)],
    problems: tooLarge(sum(bills.map(({ taxCents }) => taxCents))),
  }
}

/** One payer's part of a bill. */
interface PayersBill {
  share: Share
  lines: (CoverableLine & TaxedLine)[]
  taxCents: Cents
  warnings: string[]
}

/**
 * Returns one payer's part of a flight's bill. Packages cover the payer's lines first. Taxes are calculated on the amounts that the
 * packages do not cover. A remainder after packages that is too small to collect is waived with a warning.
 * Implements interface §Invoices, packages and taxes.
 */
function billPayer(flight: FlightCharge, payer: Payer, charges: readonly CoverableLine[]): PayersBill {
  const terms = termsOf(flight, payer)
  const { totalCents: wholeCents } = taxLines(charges, terms)
  const { lines, uses } =
    flight.packages.length === 0
      ? { lines: charges, uses: [] }
      : coverLines(charges, flight.packages, { payer, resourceId: flight.resource?.id ?? null })
  const covered = taxLines(lines, terms)
  const rest = covered.totalCents
  const isWaived = uses.length > 0 && rest > 0 && rest < LEAST_SHARE_CENTS
  const billed = isWaived ? taxLines(waive(lines, payer), terms) : covered
  return {
    share: { payer, amountCents: billed.totalCents, wholeCents, taxes: billed.taxes, uses },
    lines: billed.lines,
    taxCents: billed.taxCents,
    warnings: isWaived ? [restWaived(payer, rest, flight.settings.currency)] : [],
  }
}

/** Returns the lines and a negative line that waives their rest, so that nothing is left to pay or to tax. */
function waive(lines: readonly CoverableLine[], payer: Payer): CoverableLine[] {
  const untaxed = lines.map((line) => ({ ...line, taxableCents: ZERO }))
  const amountCents = minus(ZERO, sum(lines.map((line) => line.amountCents)))
  const waived = {
    kind: 'other' as const,
    description: 'Waived: too little to collect',
    unit: 'share' as const,
    quantityHundredths: hundredths(100),
    unitPrice: amountCents,
    amountCents,
    taxCents: ZERO,
    taxableCents: ZERO,
  }
  return [...untaxed, { ...waived, payer, row: Number.MAX_SAFE_INTEGER, hours: ZERO }]
}

function restWaived({ name }: Payer, restCents: Cents, currency: string): string {
  const [amount, least] = [formatMoney(restCents, currency), formatMoney(LEAST_SHARE_CENTS, currency)]
  return billingErrors.restWaived({ payer: name, amount, minimum: least })
}

function termsOf({ settings, locationId, taxExempt }: FlightCharge, payer: Payer): TaxTerms {
  return { rates: settings.taxRates, locationId, exempt: taxExempt.some((one) => samePayer(one, payer)) }
}

/** Returns each payer's part of a charge's hours, in proportion to the parts of its amount; all 0 for an amount of 0. */
function hoursOf({ deciHours }: Charge, parts: readonly Cents[]): Tenths[] {
  if (sum(parts) === 0) return parts.map(() => ZERO)
  return splitByWeights(cents(deciHours), parts).map((part) => tenths(part))
}

/** Returns whether a share, before packages, is large enough to be invoiced. Implements interface §Reservations rule 3. */
export function isBillable(share: { wholeCents: Cents }): boolean {
  return share.wholeCents >= LEAST_SHARE_CENTS
}

type Weighed = Extract<CostAllocation, { problems: null }>

/**
 * Returns the payers' parts in cents: one row per charge, aircraft charges first, and one column per payer. Percentages divide the
 * total. Otherwise each kind of charge is divided by the hours flown or by the organization's charge rules.
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

/**
 * Returns a payer's lines of a charge: none when the payer's part is 0, the whole charge when the part is its whole amount,
 * otherwise one line for the share.
 */
function lineOf(
  charge: Charge,
  { amountCents, hours }: { amountCents: Cents; hours: Tenths },
  { payer, row, currency }: { payer: Payer; row: number; currency: string },
): CoverableLine[] {
  if (amountCents === 0) return []
  if (amountCents === charge.amountCents) return [{ ...wholeLine(charge, payer), row, hours }]
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
      hours,
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
    .map(({ payer, wholeCents: amountCents }) => {
      const [amount, least] = [formatMoney(amountCents, currency), formatMoney(LEAST_SHARE_CENTS, currency)]
      return billingErrors.shareTooSmall({ payer: payer.name, amount, minimum: least })
    })
}

/**
 * Divides charges (cents) by one set of weights: one row per charge, one column per payer. Each row adds up to its
 * charge; each column adds up to the payer's part of the total, rounded down to the cent, and the leading payer (the
 * first with a weight) gets the remainder. No part is negative.
 * Implements interface §Reservations, personnel rule 5.
 */
export function splitCharges(amounts: readonly Cents[], weights: readonly number[]): Cents[][] {
  const total = sum(amounts)
  const weight = BigInt(weights.reduce((all, one) => all + one, 0))
  const parts = amounts.map((amount) => weights.map((one) => cents(Number((BigInt(amount) * BigInt(one)) / weight))))
  const missing = splitByWeights(total, weights).map((share, payer) =>
    minus(share, sum(parts.map((row) => row[payer] ?? ZERO))),
  )
  return parts.map((row, charge) => distributeRemainder(row, minus(amounts[charge] ?? ZERO, sum(row)), missing))
}

/**
 * Distributes one charge's rounding cents to payers whose total still lacks cents, from the last payer to the first. Reduces `missing`.
 */
function distributeRemainder(row: readonly Cents[], left: Cents, missing: Cents[]): Cents[] {
  const filled = [...row]
  let open = left
  for (let payer = row.length - 1; payer >= 0; payer--) {
    const lacking = missing[payer] ?? ZERO
    const part = lacking < open ? lacking : open
    filled[payer] = plus(filled[payer] ?? ZERO, part)
    missing[payer] = minus(lacking, part)
    open = minus(open, part)
  }
  return filled
}
