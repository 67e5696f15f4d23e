import { formatTenths } from '../../platform/kernel/hours.ts'
import { multiplyShare } from '../../platform/kernel/money.ts'
import { type Cents, cents, hundredths, minus, plus, type Tenths, tenths, ZERO } from '../../platform/kernel/units.ts'
import { type BillLine, type CoveringPackage, type PackageUse, type Payer, samePayer } from './flight-bill.types.ts'

/** A payer's line that a package may cover: `hours` are the payer's part of the hours of its charge. */
export interface CoverableLine extends BillLine {
  /** The place of its charge among those of the flight. */
  row: number
  hours: Tenths
}

/** The kind of the line by which a package lessens a bill; its amount is negative. */
export const PACKAGE_CREDIT = 'package_credit'

/**
 * Covers a payer's lines with the payer's packages, in their order (oldest first): each takes the lines of its kinds, in
 * the order of the bill, until it or they are used up. Credit in cents covers amounts; hours cover the part of a line's
 * amount that they are of its hours, rounded half up. Returns the lines with what is left to tax of each, a negative line
 * for each package that was used, and what each was used for.
 * Implements interface §Invoices, packages.
 */
export function coverLines(
  lines: readonly CoverableLine[],
  packages: readonly CoveringPackage[],
  { payer, resourceId }: { payer: Payer; resourceId: number | null },
): { lines: CoverableLine[]; uses: PackageUse[] } {
  const left = lines.map(({ amountCents, hours }) => ({ cents: amountCents, hours }))
  const uses = packages
    .filter((one) => samePayer(one, payer) && isFor(one.resourceIds, resourceId))
    .flatMap((one) => {
      const use = useOf(one, lines, left)
      return use.coveredCents > 0 ? [use] : []
    })
  const covered = lines.map((line, index) => ({ ...line, taxableCents: left[index]?.cents ?? ZERO }))
  return { lines: uses.length === 0 ? [...lines] : [...covered, ...uses.map((use) => creditOf(use, payer))], uses }
}

interface Left {
  cents: Cents
  hours: Tenths
}

/** Takes from what is left of the lines; what they then have left is changed in place. */
function useOf(one: CoveringPackage, lines: readonly CoverableLine[], left: Left[]): PackageUse {
  let rest = one.remaining
  let coveredCents: Cents = ZERO
  for (const [index, of] of left.entries()) {
    if (!isFor(one.lineKinds, lines[index]?.kind ?? '')) continue
    const used = Math.min(rest, one.unit === 'cents' ? of.cents : of.hours)
    const taken = one.unit === 'cents' ? cents(used) : amountOf(of, tenths(used))
    const share = one.unit === 'cents' ? hoursOf(of, taken) : tenths(used)
    left[index] = { cents: minus(of.cents, taken), hours: minus(of.hours, share) }
    coveredCents = plus(coveredCents, taken)
    rest -= used
  }
  return { purchaseId: one.purchaseId, name: one.name, unit: one.unit, quantity: one.remaining - rest, coveredCents }
}

/** Returns the amount of so many of a line's hours. */
function amountOf({ cents: amount, hours }: Left, used: Tenths): Cents {
  return hours === 0 ? ZERO : multiplyShare(amount, used, hours)
}

/** Returns the hours of an amount of a line, rounded down: what is left keeps its price an hour, as near as tenths can. */
function hoursOf({ cents: amount, hours }: Left, taken: Cents): Tenths {
  return amount === 0 ? ZERO : tenths(Number((BigInt(hours) * BigInt(taken)) / BigInt(amount)))
}

function creditOf({ name, unit, quantity, coveredCents }: PackageUse, payer: Payer): CoverableLine {
  const amountCents = minus(ZERO, coveredCents)
  return {
    kind: PACKAGE_CREDIT,
    description: unit === 'cents' ? name : `${name}: ${formatTenths(tenths(quantity))} h`,
    quantityHundredths: hundredths(100),
    unit: 'package',
    unitPrice: amountCents,
    amountCents,
    taxCents: ZERO,
    taxableCents: ZERO,
    payer,
    row: Number.MAX_SAFE_INTEGER,
    hours: ZERO,
  }
}

function isFor<T>(named: readonly T[], one: T | null): boolean {
  return named.length === 0 || (one !== null && named.includes(one))
}

/** What is left of a package when its price is lowered by credits, and what was used beyond that, in cents of the price. */
export interface ReducedPackage {
  /** What the credits take back of the grant. */
  withdrawn: number
  remaining: number
  shortfallCents: Cents
}

/**
 * Returns what is left of a purchased package after credits on its invoice: the grant shrinks in proportion to what stays
 * billed, rounded down. What was used beyond it is a shortfall: the used part of the price, rounded half up, less what
 * stays billed.
 */
export function reducePackage(
  { granted, used }: { granted: number; used: number },
  { totalCents, creditedCents }: { totalCents: Cents; creditedCents: Cents },
): ReducedPackage {
  const staysCents = minus(totalCents, creditedCents)
  const stays = Number((BigInt(granted) * BigInt(staysCents)) / BigInt(totalCents))
  const owedCents = minus(multiplyShare(totalCents, used, granted), staysCents)
  return {
    withdrawn: granted - stays,
    remaining: Math.max(0, stays - used),
    shortfallCents: owedCents > 0 ? owedCents : ZERO,
  }
}

/** Returns how many cents of a package's price can be credited: the unused part of what stays billed, rounded down. */
export function creditableOf({ granted, remaining }: { granted: number; remaining: number }, totalCents: Cents): Cents {
  return cents(Number((BigInt(totalCents) * BigInt(remaining)) / BigInt(granted)))
}
