import { type Hundredths, hundredths, type Tenths, tenths } from './units.ts'

/**
 * Hours are integers: meter readings in hundredths of an hour ("1234.56" is 123456), billed and credited time in tenths.
 * Floats appear only in JSON. A float is parsed from its decimal text, and written by one division, which gives the float
 * nearest to the decimal number.
 */

/** The highest meter reading: 999,999.99 hours. */
export const MAX_READING: Hundredths = hundredths(99_999_999)

const TENTH_OF_AN_HOUR_MS = 360_000

/**
 * Parses a meter reading from JSON exactly. Returns null when it is negative, not finite, has more than two decimals,
 * or is above 999999.99.
 */
export function readingFromNumber(n: number): Hundredths | null {
  const match = /^(\d{1,6})(?:\.(\d{1,2}))?$/.exec(String(n))
  return match ? hundredths(Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`)) : null
}

/** Returns a reading for JSON: 123456 is 1234.56. */
export function readingToNumber(reading: Hundredths): number {
  return reading / 100
}

/** Formats a reading with two decimals: "1234.50". */
export function formatReading(reading: Hundredths): string {
  const sign = reading < 0 ? '-' : ''
  const digits = String(Math.abs(reading)).padStart(3, '0')
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Converts hundredths of an hour to tenths, rounded half up. The time must not be negative. */
export function tenthsFromHundredths(time: Hundredths): Tenths {
  return tenths(divideHalfUp(time, 10))
}

/** Converts tenths of an hour to hundredths, which is exact. */
export function hundredthsFromTenths(time: Tenths): Hundredths {
  return hundredths(time * 10)
}

/** Returns the time between two instants in tenths of an hour, rounded half up. */
export function tenthsBetween(start: Date, end: Date): Tenths {
  return tenths(divideHalfUp(end.getTime() - start.getTime(), TENTH_OF_AN_HOUR_MS))
}

/** Formats tenths of an hour: 14 is "1.4". */
export function formatTenths(time: Tenths): string {
  return `${Math.trunc(time / 10)}.${time % 10}`
}

function divideHalfUp(amount: number, unit: number): number {
  const raised = amount + unit / 2
  return (raised - (raised % unit)) / unit
}
