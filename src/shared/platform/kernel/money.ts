import { type Cents, cents, type Hundredths, minus, plus, sum, type Tenths } from './units.ts'

/** Money is a safe integer of the currency's smallest unit (cents); no float holds an amount. */

/**
 * Divides an amount of cents among `n` payers in equal parts; the first gets the remaining cents.
 * Implements interface §Reservations rule 5.
 * @throws RangeError for a negative or unsafe total, or fewer than one payer
 */
export function splitEvenly(totalCents: Cents, n: number): Cents[] {
  if (!Number.isSafeInteger(n) || n < 1) throw new RangeError(`cannot split among ${n}`)
  return splitByWeights(totalCents, new Array<number>(n).fill(1), 0)
}

/**
 * Divides an amount of cents in proportion to whole-number weights. Each part is rounded down to the cent, and the part at
 * index `leader` (by default the first with a weight above 0) also gets the remainder. The parts add up to the total, and none
 * is negative.
 * Implements interface §Reservations rule 5.
 * @throws RangeError for a negative or unsafe total, a negative or fractional weight, weights that are all zero, or a `leader`
 * without a part
 */
export function splitByWeights(
  totalCents: Cents,
  weights: readonly (number | bigint)[],
  leader: number = weights.findIndex((weight) => weight > 0),
): Cents[] {
  if (!Number.isSafeInteger(totalCents) || totalCents < 0) throw new RangeError(`cannot split ${totalCents} cents`)
  const exact = weights.map((weight) => BigInt(weight))
  const all = exact.reduce((total, weight) => total + weight, 0n)
  if (exact.some((weight) => weight < 0n) || all === 0n) throw new RangeError('weights must be positive')
  if (leader < 0 || leader >= exact.length) throw new RangeError(`no part at ${leader}`)
  const parts = exact.map((weight) => cents(Number((BigInt(totalCents) * weight) / all)))
  const remainder = minus(totalCents, sum(parts))
  return parts.map((part, index) => (index === leader ? plus(part, remainder) : part))
}

/**
 * Returns the cost of a time in cents: tenths of an hour times a rate in cents per hour, rounded half up.
 * @throws RangeError when a factor is negative or not whole, or the amount is not a safe integer
 */
export function multiplyRate(deciHours: Tenths, rateCentsPerHour: Cents): Cents {
  if (deciHours < 0 || rateCentsPerHour < 0) throw new RangeError('time and rate cannot be negative')
  const cost = Number((BigInt(deciHours) * BigInt(rateCentsPerHour) + 5n) / 10n)
  if (!Number.isSafeInteger(cost)) throw new RangeError('amount too large')
  return cents(cost)
}

/**
 * Returns the amount of a quantity in cents: hundredths of a unit times the unit's price, rounded half up by absolute
 * value, so that a discount is as large as the charge that it reverses.
 * @throws RangeError when the quantity is negative, a factor is not whole, or the amount is not a safe integer
 */
export function multiplyPrice(quantityHundredths: Hundredths, unitPriceCents: Cents): Cents {
  if (quantityHundredths < 0) throw new RangeError('a quantity cannot be negative')
  const exact = BigInt(quantityHundredths) * BigInt(unitPriceCents)
  const amount = exact < 0n ? -Number((-exact + 50n) / 100n) : Number((exact + 50n) / 100n)
  if (!Number.isSafeInteger(amount)) throw new RangeError('amount too large')
  return cents(amount)
}

/**
 * Returns `amount` times `share` divided by `whole`, in cents. It is rounded half up by absolute value, so that a negative
 * amount gives the negative of the same result.
 * @throws RangeError when the share is negative, the whole is not positive, or a factor is not whole
 */
export function multiplyShare(amount: Cents, share: number, whole: number): Cents {
  if (share < 0 || whole <= 0) throw new RangeError('a share cannot be negative, nor its whole nothing')
  const [exact, of] = [BigInt(amount) * BigInt(share), BigInt(whole)]
  const rounded = (2n * (exact < 0n ? -exact : exact) + of) / (2n * of)
  return cents(Number(exact < 0n ? -rounded : rounded) + 0)
}

/** The ISO 4217 currencies that the payment gateway counts in whole units, without decimals. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW MGA PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const WITH_THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')

const currencies = new Set(Intl.supportedValuesOf('currency'))
const formats = new Map<string, Intl.NumberFormat>()

/** Returns whether the smallest unit of an ISO 4217 currency is a hundredth; false for an unknown code. Accepts upper and lower case. */
export function hasCents(currency: string): boolean {
  const code = currency.toUpperCase()
  return currencies.has(code) && decimalsOf(code) === 2
}

function decimalsOf(code: string): number {
  if (WITHOUT_DECIMALS.includes(code)) return 0
  return WITH_THREE_DECIMALS.includes(code) ? 3 : 2
}

/**
 * Formats an amount ("$1,234.50"); `currency` is an ISO 4217 code in upper or lower case.
 * @throws RangeError for a malformed code
 */
export function formatMoney(amount: Cents, currency: string): string {
  const code = currency.toUpperCase()
  const decimals = decimalsOf(code)
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
  const format = formats.get(code) ?? new Intl.NumberFormat('en-US', { style: 'currency', currency: code, ...digits })
  formats.set(code, format)
  return format.format(`${amount}E-${decimals}` as `${number}`)
}
