/** Money is a safe integer of the currency's smallest unit (cents); no float ever holds an amount. */

/**
 * Divides an amount among `n` equal payers: each gets the whole cents of an equal part, the remainder goes to the
 * first. Throws a RangeError for a negative or unsafe total, or fewer than one payer.
 */
export function splitEvenly(totalCents: number, n: number): number[] {
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`cannot split among ${n}`)
  return splitByWeights(totalCents, new Array<number>(n).fill(1), 0)
}

/**
 * Divides an amount in proportion to whole-number weights, exactly: each part is rounded down to the cent and what
 * is left over goes to the part at `leader` (by default the first with a weight). The parts always add up to the
 * total and none is negative. Throws a RangeError for a negative or unsafe total, a negative or fractional weight,
 * or weights that are all zero.
 */
export function splitByWeights(
  totalCents: number,
  weights: readonly (number | bigint)[],
  leader: number = weights.findIndex((weight) => weight > 0),
): number[] {
  if (!Number.isSafeInteger(totalCents) || totalCents < 0) throw new RangeError(`cannot split ${totalCents} cents`)
  const exact = weights.map((weight) => BigInt(weight))
  const sum = exact.reduce((total, weight) => total + weight, 0n)
  if (exact.some((weight) => weight < 0n) || sum === 0n) throw new RangeError('weights must be positive')
  if (leader < 0 || leader >= exact.length) throw new RangeError(`no part at ${leader}`)
  const parts = exact.map((weight) => Number((BigInt(totalCents) * weight) / sum))
  const remainder = totalCents - parts.reduce((total, part) => total + part, 0)
  return parts.map((part, index) => (index === leader ? part + remainder : part))
}

/**
 * What a time costs: tenths of an hour times a rate in cents an hour, rounded half up to the cent. Throws a
 * RangeError when a factor is negative or not whole, or when the amount leaves the safe integers.
 */
export function multiplyRate(deciHours: number, rateCentsPerHour: number): number {
  if (deciHours < 0 || rateCentsPerHour < 0) throw new RangeError('time and rate cannot be negative')
  const cents = Number((BigInt(deciHours) * BigInt(rateCentsPerHour) + 5n) / 10n)
  if (!Number.isSafeInteger(cents)) throw new RangeError('amount too large')
  return cents
}

/**
 * What a quantity comes to: hundredths of a unit times the unit's price in cents, rounded half up by amount, so that a
 * discount is as large as the charge that it takes back. Throws a RangeError when the quantity is negative or a factor
 * not whole, or when the amount leaves the safe integers.
 */
export function multiplyPrice(quantityHundredths: number, unitPriceCents: number): number {
  if (quantityHundredths < 0) throw new RangeError('a quantity cannot be negative')
  const exact = BigInt(quantityHundredths) * BigInt(unitPriceCents)
  const cents = exact < 0n ? -Number((-exact + 50n) / 100n) : Number((exact + 50n) / 100n)
  if (!Number.isSafeInteger(cents)) throw new RangeError('amount too large')
  return cents
}

/** Currencies whose smallest unit is no hundredth, by ISO 4217 and by how the payment processor counts. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

const currencies = new Set(Intl.supportedValuesOf('currency'))
const formats = new Map<string, Intl.NumberFormat>()

/** Whether a currency is one of ISO 4217 whose smallest unit is a hundredth; `currency` is in either case. */
export function hasCents(currency: string): boolean {
  const code = currency.toUpperCase()
  return currencies.has(code) && decimalsOf(code) === 2
}

function decimalsOf(code: string): number {
  if (WITHOUT_DECIMALS.includes(code)) return 0
  return WITH_THREE_DECIMALS.includes(code) ? 3 : 2
}

/** An amount as people read it ("$1,234.50"); `currency` is an ISO 4217 code in either case. Throws a RangeError for a malformed code. */
export function formatMoney(cents: number, currency: string): string {
  const code = currency.toUpperCase()
  const decimals = decimalsOf(code)
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const format = formats.get(code) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency: code, ...digits })
  formats.set(code, format)
  return format.format(`${cents}E-${decimals}` as `${number}`)
}
