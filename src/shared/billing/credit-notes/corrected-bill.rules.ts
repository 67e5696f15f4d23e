import { taxesOn } from '../../identity/organizations/taxes.rules.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { multiplyRate, multiplyShare } from '../../platform/kernel/money.ts'
import { type Cents, cents, minus, plus, sum, type Tenths, times, ZERO } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { chargesOf } from '../flight-bill/charges.rules.ts'
import { chargeFlight, isBillable, LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import {
  type ChargeKind,
  type FlightBill,
  type FlightCharge,
  type PayerId,
  samePayer,
  type TaxTotal,
} from '../flight-bill/flight-bill.types.ts'
import type { LineCredit } from './credit.rules.ts'

/** A line of an invoice that stands, with what credit notes credited of it. */
export interface StandingLine {
  id: number
  kind: string
  unit: string
  unitPrice: Cents
  amountCents: Cents
  /** The taxes, not included in the amount. */
  taxCents: Cents
  /** With the tax in it. */
  creditedCents: Cents
  creditedTaxCents: Cents
}

/** An invoice of a flight that stands. `payer`: the person whose share it charges; `leftCents`: its total less its credit notes. */
export interface StandingInvoice {
  id: number
  payer: PayerId
  lines: readonly StandingLine[]
  taxes: readonly Pick<TaxTotal, 'basisPoints' | 'taxableCents'>[]
  leftCents: Cents
}

/** The credit of one invoice: by lines, with their tax; without lines when all that is left is credited and the lines are more. */
export interface CorrectionCredit {
  invoiceId: number
  items: LineCredit[]
  amountCents: Cents
}

const kinds: readonly ChargeKind[] = [
  'aircraft',
  'simulator',
  'flight_instruction',
  'sim_instruction',
  'ground_instruction',
]

/**
 * Returns the credits by which the standing invoices of a flight follow its corrected figures, or why they cannot: at the unit prices and
 * tax rates of the invoices, divided by the stakes as they are. A payer who owes the same gets no credit. What would be left of an
 * invoice below 50 cents is credited too. `after`: the corrected figures.
 * Implements interface §Reservations, correct.
 */
export function creditsOfCorrection(
  flight: FlightCharge,
  after: Pick<FlightCharge, 'readings' | 'briefing'>,
  invoices: readonly StandingInvoice[],
): { problem: Sentence } | { problem: null; credits: CorrectionCredit[] } {
  const corrected = { ...flight, ...after }
  const [hours, newHours] = [hoursByKind(flight), hoursByKind(corrected)]
  const rates = new Map(kinds.map((kind) => [kind, priceOf(kind, hours.get(kind) ?? ZERO, { flight, invoices })]))
  const charged = kinds.filter((kind) => rates.get(kind) !== null)
  const isByHours = charged.length > 0 || kinds.every((kind) => hours.get(kind) === newHours.get(kind))
  if (!isByHours || charged.some((kind) => rates.get(kind) === 'unknown'))
    return { problem: billingErrors.billNotByHours() }
  const bill = chargeFlight(atPrices(corrected, (kind) => rates.get(kind) as Cents | null))
  const credits: CorrectionCredit[] = []
  const unbilled = bill.shares.find(
    (share) => isBillable(share) && !invoices.some(({ payer }) => samePayer(payer, share.payer)),
  )
  if (bill.problems.length > 0 || unbilled) return { problem: billingErrors.billNotByHours() }
  for (const invoice of invoices) {
    const deltas = invoice.lines.map((line) => deltaOf(line, invoice, bill))
    const amountCents = sum(deltas.map(({ amountCents }) => amountCents))
    if (amountCents < 0) return { problem: billingErrors.payerPaysMore() }
    if (amountCents > 0) credits.push(creditOf(invoice, deltas, amountCents))
  }
  return { problem: null, credits }
}

/** Returns the hours that a flight bills by kind of charge. */
function hoursByKind(flight: FlightCharge): Map<string, Tenths> {
  const { charges } = chargesOf(atPrices(flight, () => cents(1_000)))
  return new Map(charges.map(({ kind, deciHours }) => [kind, deciHours]))
}

/** Returns a flight with these prices per hour, without packages and taxes. */
function atPrices(flight: FlightCharge, priceOf: (kind: ChargeKind) => Cents | null): FlightCharge {
  const { resource, instructor, settings } = flight
  const rate = priceOf(resource?.kind === 'simulator' ? 'simulator' : 'aircraft')
  const rates = {
    flight: priceOf('flight_instruction'),
    sim: priceOf('sim_instruction'),
    ground: priceOf('ground_instruction'),
  }
  return {
    ...flight,
    resource: resource && { ...resource, wetRate: rate, dryRate: rate },
    instructor: instructor && { ...instructor, rates },
    packages: [],
    settings: { ...settings, taxRates: [] },
  }
}

/**
 * Returns the price per hour at which invoices charge a kind: the unit price of their line, or for shares of a charge the price by which
 * the shares add up to it. Null: they do not charge it. `unknown`: they charge it, but not by the hours of the flight.
 */
function priceOf(
  kind: ChargeKind,
  deciHours: Tenths,
  { flight, invoices }: { flight: FlightCharge; invoices: readonly StandingInvoice[] },
): Cents | null | 'unknown' {
  const charging = invoices.map(({ lines }) => lines.filter((line) => line.kind === kind))
  const lines = charging.flat()
  if (lines.length === 0) return null
  if (charging.some((ofOne) => ofOne.length > 1)) return 'unknown'
  const [first] = lines
  if (lines.length === 1 && first?.unit === 'hour') return first.unitPrice
  const left = sum(lines.map(netLeft))
  const present = chargesOf(flight).charges.find((charge) => charge.kind === kind)?.rateCents
  const bySum = deciHours > 0 ? multiplyShare(times(left, 10), 1, deciHours) : ZERO
  const price = [...(present === undefined ? [] : [present]), bySum].find(
    (one) => multiplyRate(deciHours, one) === left,
  )
  return price ?? 'unknown'
}

function netLeft({ amountCents, creditedCents, creditedTaxCents }: StandingLine): Cents {
  return minus(amountCents, minus(creditedCents, creditedTaxCents))
}

/** Returns how much less a line of an invoice is by a bill, with its tax; 0 for a line that no hours make. */
function deltaOf(line: StandingLine, invoice: StandingInvoice, bill: FlightBill): LineCredit {
  const { payer } = invoice
  const { id: itemId } = line
  if (!kinds.some((kind) => kind === line.kind)) return { itemId, amountCents: ZERO }
  const net = sum(
    bill.lines.flatMap((one) =>
      one.kind === line.kind && one.payer && samePayer(one.payer, payer) ? [one.amountCents] : [],
    ),
  )
  const before = minus(plus(line.amountCents, line.taxCents), line.creditedCents)
  return { itemId, amountCents: minus(before, plus(net, taxOn(line, net, invoice))) }
}

/** Returns the tax on the corrected amount of a line, at the rates that the line has. */
function taxOn(line: StandingLine, net: Cents, invoice: StandingInvoice): Cents {
  const { amountCents, taxCents } = line
  if (taxCents === 0 || net === 0) return ZERO
  const makesTax = (taxes: StandingInvoice['taxes']) => sum(taxesOn(amountCents, taxes.map(rateOf))) === taxCents
  const byTotals = invoice.taxes.filter((tax) => linesOf(tax, invoice).includes(line))
  const applied = makesTax(byTotals) ? byTotals : subsetsOf(invoice.taxes).find(makesTax)
  return applied ? sum(taxesOn(net, applied.map(rateOf))) : multiplyShare(taxCents, net, amountCents)
}

const rateOf = ({ basisPoints }: StandingInvoice['taxes'][number]) => basisPoints

/**
 * Returns the lines that a rate taxes. An invoice stores the taxed amount of each rate, but not its lines: those whose amounts add up to
 * it.
 */
function linesOf({ taxableCents }: StandingInvoice['taxes'][number], { lines }: StandingInvoice): StandingLine[] {
  return subsetsOf(lines).find((some) => sum(some.map(({ amountCents }) => amountCents)) === taxableCents) ?? []
}

/** The most rates or lines of which all subsets are tried. */
const MOST_TRIED = 10

/** Returns the subsets of a few values, the largest first; none of many values. */
function subsetsOf<T>(values: readonly T[]): T[][] {
  if (values.length > MOST_TRIED) return []
  const all = values.reduce<T[][]>((some, value) => some.flatMap((one) => [[...one, value], one]), [[]])
  return all.toSorted((a, b) => b.length - a.length)
}

function creditOf(
  { id: invoiceId, lines, leftCents }: StandingInvoice,
  deltas: readonly LineCredit[],
  wantedCents: Cents,
): CorrectionCredit {
  if (minus(leftCents, wantedCents) >= LEAST_SHARE_CENTS) {
    return { invoiceId, items: withoutNegative(deltas), amountCents: wantedCents }
  }
  const items = lines.map(({ id: itemId, amountCents, taxCents, creditedCents }) => {
    return { itemId, amountCents: minus(plus(amountCents, taxCents), creditedCents) }
  })
  const byLine =
    items.every(({ amountCents }) => amountCents >= 0) && sum(items.map((one) => one.amountCents)) === leftCents
  return { invoiceId, items: byLine ? items.filter(({ amountCents }) => amountCents > 0) : [], amountCents: leftCents }
}

/** Returns the amounts above 0, less those below: the cents that a division moves from one line of a payer to another. */
function withoutNegative(deltas: readonly LineCredit[]): LineCredit[] {
  let missing = sum(deltas.map(({ amountCents }) => (amountCents < 0 ? amountCents : ZERO)))
  const items: LineCredit[] = []
  for (const { itemId, amountCents } of deltas.toSorted((a, b) => b.amountCents - a.amountCents)) {
    if (amountCents <= 0) continue
    const taken = cents(Math.min(amountCents, -missing))
    missing = plus(missing, taken)
    if (amountCents > taken) items.push({ itemId, amountCents: minus(amountCents, taken) })
  }
  return items
}
