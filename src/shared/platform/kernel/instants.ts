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

/**
 * Why a text is not an instant: `malformed` (wrong form, or the date or time does not exist), `local` (no offset), or
 * `outside` (not in the years 1970 to 2199).
 */
export type NoInstant = 'malformed' | 'local' | 'outside'

/**
 * Parses an ISO 8601 instant with an explicit offset or `Z`. Returns null for a date-time without an offset, a date that does
 * not exist (2026-02-30), an instant outside 1970 to 2199, and any other text. Digits below a millisecond are cut off.
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

const DAY_MS = 86_400_000
const padded = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))

/**
 * Returns an instant in the form of responses: UTC with `Z` and milliseconds. For the years 1000 to 9999 this function
 * computes the text itself, in a third of the time of `toISOString`, because a long list has ten thousand instants. It counts
 * days in eras of 400 years that begin on 1 March, so that the leap day is the last day of a year (H. Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms", civil_from_days).
 * @throws RangeError for an invalid date
 */
export function formatInstant(instant: Date): string {
  const epoch = instant.getTime()
  const days = Math.floor(epoch / DAY_MS)
  const sinceEras = days + 719_468
  const era = Math.floor(sinceEras / 146_097)
  const ofEra = sinceEras - era * 146_097
  const leaps = Math.floor(ofEra / 1_460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096)
  const yearOfEra = Math.floor((ofEra - leaps) / 365)
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * ofYear + 2) / 153)
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  if (!(year >= 1000 && year <= 9999)) return instant.toISOString()
  const date = `${year}-${padded[month]}-${padded[ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1]}`
  const ms = epoch - days * DAY_MS
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor(ms / 1_000)]
  const fraction = ms % 1_000 === 0 ? '000' : String(ms % 1_000).padStart(3, '0')
  return `${date}T${padded[Math.floor(minutes / 60)]}:${padded[minutes % 60]}:${padded[seconds % 60]}.${fraction}Z`
}

/** The length of "2026-03-08 10:00:00", and of the offset "+00". */
const [TO_SECONDS, OFFSET] = [19, 3]

/**
 * Parses an instant as PostgreSQL writes it in UTC, "2026-03-08 10:00:00.123456+00". Digits below a millisecond are cut off.
 * Returns null for any other form, such as another offset, a year after 9999 or before Christ, or infinity.
 */
export function parseTimestamp(text: string): Date | null {
  const end = text.length - OFFSET
  if (end < TO_SECONDS || text[4] !== '-' || text[10] !== ' ' || !text.endsWith('+00')) return null
  const fraction = end === TO_SECONDS ? 0 : Number(`${text.slice(TO_SECONDS + 1, end)}00`.slice(0, 3))
  const [year, month, day] = [digitsAt(text, 0) * 100 + digitsAt(text, 2), digitsAt(text, 5), digitsAt(text, 8)]
  const [hour, minute, second] = [digitsAt(text, 11), digitsAt(text, 14), digitsAt(text, 17)]
  return year < 100 ? null : new Date(Date.UTC(year, month - 1, day, hour, minute, second, fraction))
}

/** Returns the two-digit number at an index of a text. */
function digitsAt(text: string, place: number): number {
  return (text.charCodeAt(place) - 48) * 10 + text.charCodeAt(place + 1) - 48
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

/** Returns what two half-open intervals have in common; null when that is nothing. */
export function intersection(a: Interval, b: Interval): Interval | null {
  if (!overlaps(a, b)) return null
  return { start: a.start > b.start ? a.start : b.start, end: a.end < b.end ? a.end : b.end }
}
