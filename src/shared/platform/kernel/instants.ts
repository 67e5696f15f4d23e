/** Instants are JavaScript Dates (epoch milliseconds). Intervals are half-open, so adjacent ones do not overlap. */

/** An interval from `start` up to, but not including, `end`. */
export interface Interval {
  start: Date
  end: Date
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d{2})(?::?(\d{2}))?)$/i

const FIRST = Date.UTC(1970, 0, 1)
const AFTER_LAST = Date.UTC(2200, 0, 1)

/** Why a text is not an instant: the date or time does not exist, it has no offset, or it is outside 1970 to 2199. */
export type NoInstant = 'malformed' | 'local' | 'outside'

/**
 * Parses an ISO 8601 instant with an explicit offset or `Z`. Returns null for a local date-time, whose zone is
 * unknown, a date that does not exist (2026-02-30), and an instant outside 1970 to 2199. Digits below a millisecond
 * are cut off.
 * Implements interface §Time zones.
 */
export function parseInstant(text: string): Date | null {
  const read = readInstant(text)
  return read instanceof Date ? read : null
}

/** Parses an instant like `parseInstant`, or returns why the text is not one. */
export function readInstant(text: string): Date | NoInstant {
  const match = INSTANT.exec(text)
  if (!match) return INSTANT.test(`${text}Z`) && readInstant(`${text}Z`) !== 'malformed' ? 'local' : 'malformed'
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as Six
  const millisecond = Number((match[7] ?? '').padEnd(3, '0').slice(0, 3))
  const offsetHours = Number(match[10] ?? 0)
  const offsetMinutes = Number(match[11] ?? 0)
  if (hour > 23 || minute > 59 || second > 59 || offsetHours > 23 || offsetMinutes > 59) return 'malformed'
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second, millisecond))
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return 'malformed'
  if (local.getUTCFullYear() !== year) return 'outside'
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[9] === '-' ? -1 : 1)
  const epoch = local.getTime() - offset
  return epoch >= FIRST && epoch < AFTER_LAST ? new Date(epoch) : 'outside'
}

/** Returns whether a text is an existing day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const midnight = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : new Date(Number.NaN)
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(text)
}

type Six = [number, number, number, number, number, number]

/** Returns whether two half-open intervals overlap; adjacent ones do not. */
export function overlaps(a: Interval, b: Interval): boolean {
  return a.start.getTime() < b.end.getTime() && b.start.getTime() < a.end.getTime()
}
