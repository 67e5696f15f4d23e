import { formatTenths } from '../../platform/kernel/hours.ts'
import { multiplyShare } from '../../platform/kernel/money.ts'
import { type Cents, cents, hundredths, minus, plus, type Tenths, tenths, ZERO } from '../../platform/kernel/units.ts'
import { type BillLine, type CoveringPackage, type PackageUse, type Payer, samePayer } from './flight-bill.types.ts'

/** A payer's line that a package may cover. `hours`: the payer's part of the charge's hours. */
export interface CoverableLine extends BillLine {
  /** The index of its charge among the charges of the flight. */
  row: number
  hours: Tenths
}

/** The kind of a line by which a package reduces a bill; its amount is negative. */
export const PACKAGE_CREDIT = 'package_credit'

/**
 * Covers a payer's lines with the payer's packages, oldest first. Each package covers lines of its kinds, in the order of the bill,
 * until the package is used up or the lines are covered. Credit in cents covers amounts. Hours cover a line's amount in proportion to
 * the line's hours, rounded half up. Returns the lines, each with the amount that is left to tax; a negative line per used package;
 * and the uses.
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

/** Covers the lines with one package and returns its use. Reduces `left`, the uncovered part of each line, in place. */
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

/** Returns the part of a line's amount for this part of its hours. */
function amountOf({ cents: amount, hours }: Left, used: Tenths): Cents {
  return hours === 0 ? ZERO : multiplyShare(amount, used, hours)
}

/** Returns the part of a line's hours for this part of its amount, rounded down to a tenth: the price per hour stays about the same. */
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

/** A package after credits reduced its price. `shortfallCents`: the price of the part that was used beyond the reduced grant. */
export interface ReducedPackage {
  /** The part of the grant that the credits take back. */
  withdrawn: number
  remaining: number
  shortfallCents: Cents
}

/**
 * Returns a purchased package after credits on its invoice. The grant is reduced in proportion to the amount that stays billed,
 * rounded down. When more than that was used, the shortfall is the price of the used part, rounded half up, minus the amount that
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

/** Returns how many cents of a package's total can be credited: the total times `remaining` / `granted`, rounded down. */
export function creditableOf({ granted, remaining }: { granted: number; remaining: number }, totalCents: Cents): Cents {
  return cents(Number((BigInt(totalCents) * BigInt(remaining)) / BigInt(granted)))
}
