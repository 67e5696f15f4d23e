import { fieldErrors } from '../../platform/field.errors.ts'
import { readAddress } from '../../platform/kernel/addresses.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { MAX_READING, readingFromNumber } from '../../platform/kernel/hours.ts'
import { holdsAddress, problemOfLine } from '../../platform/kernel/text.ts'
import { type Cents, cents, type Hundredths } from '../../platform/kernel/units.ts'
import { endOfDay, isZone, wallToInstant } from '../../platform/kernel/zones.ts'
import { portabilityErrors } from '../portability.errors.ts'
import type { Parsed, Parser, ReadingContext } from './columns.rules.ts'
import { hasShortYear, readDay, readMoment } from './dates.rules.ts'

/** The largest amount of one cell, in cents. */
const MOST_CENTS = 2_000_000_000

const read = <T>(value: T | null | undefined, problem: Sentence): Parsed<T> =>
  value === null || value === undefined ? { problem } : { value }

/** Parses one line of text with at most `most` characters. */
export function line(most: number): Parser<string> {
  return (cell) => {
    if (problemOfLine(cell) !== null) return { problem: portabilityErrors.oneLine() }
    return cell.length > most ? { problem: portabilityErrors.tooLong({ limit: most }) } : { value: cell }
  }
}

/** Parses text of one or several lines with at most `most` characters. */
export function paragraph(most: number): Parser<string> {
  return (cell) => (cell.length > most ? { problem: portabilityErrors.tooLong({ limit: most }) } : { value: cell })
}

/** Parses several values with semicolons or bars between them. */
export function listOf<T>(parse: Parser<T>): Parser<T[]> {
  return (cell, context) => {
    const parts = cell.split(/[|;]/).flatMap((part) => (part.trim() === '' ? [] : parse(part.trim(), context)))
    const refused = parts.find((part) => 'problem' in part)
    return refused ?? { value: parts.flatMap((part) => ('value' in part ? [part.value] : [])) }
  }
}

/** Parses the first value of a cell. Some address books join several values with ` ::: ` in one cell. */
export function firstOf<T>(parse: Parser<T>): Parser<T> {
  return (cell, context) => parse(cell.split(' ::: ')[0]!.trim(), context)
}

/** Parses the name of a person. Web addresses are refused, because mails to strangers contain the name. */
export const personName: Parser<string> = (cell, context) =>
  holdsAddress(cell) ? { problem: fieldErrors.noWebAddress() } : line(200)(cell, context)

/** Parses an email address, in the form in which it is stored and compared. */
export const email: Parser<string> = (cell) => read(readAddress(cell), fieldErrors.email())

/**
 * Parses one of the given words. Case is ignored, and blanks and hyphens count as underscores: "recent flights" is
 * `recent_flights`.
 */
export function word<const W extends string>(words: readonly W[]): Parser<W> {
  return (cell) =>
    read(
      words.find((one) => one === sameWord(cell)),
      fieldErrors.oneOf({ choices: words.join(', ') }),
    )
}

/**
 * Parses several of the given words, with blanks, commas, semicolons or bars between them. Repeated words are removed.
 */
export function words<const W extends string>(all: readonly W[]): Parser<W[]> {
  return (cell) => {
    const found = cell.split(/[\s|,;]+/).filter((part) => part !== '')
    const known = found.map((part) => all.find((one) => one === sameWord(part)))
    const isKnown = known.every((one) => one !== undefined)
    return isKnown ? { value: [...new Set(known as W[])] } : { problem: fieldErrors.oneOf({ choices: all.join(', ') }) }
  }
}

function sameWord(cell: string): string {
  return cell.toLowerCase().replace(/[\s-]+/g, '_')
}

const flags: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  y: true,
  '1': true,
  x: true,
  false: false,
  no: false,
  n: false,
  '0': false,
}

/** Parses yes or no in the forms that spreadsheets use, such as TRUE, y or 1. */
export const flag: Parser<boolean> = (cell) => read(flags[cell.toLowerCase()], portabilityErrors.notYesNo())

/**
 * Returns a number with a decimal point. In a file with decimal commas, 1.234,5 becomes 1234.5; otherwise it does not
 * change.
 */
function withPoint(cell: string, { decimalComma = false }: ReadingContext): string {
  if (!decimalComma || !/^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/.test(cell)) return cell
  return cell.replaceAll('.', '').replace(',', '.')
}

/** Parses a whole number from `least` to `most`. Accepts 12.0, which spreadsheets write for 12. */
export function whole(least: number, most: number): Parser<number> {
  return (cell, context) => {
    const text = withPoint(cell, context)
    const value = /^-?\d{1,15}(\.0{1,2})?$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most
      ? { value }
      : { problem: portabilityErrors.notWhole({ minimum: least, maximum: most }) }
  }
}

/**
 * Parses money in whole cents, which can be negative. Accepts 18500.0, which spreadsheets write for 18500. Refuses two
 * decimals, because they mean dollars.
 */
export const centsCell: Parser<Cents> = (cell, context) => {
  const text = withPoint(cell, context)
  const value = /^[+-]?\d{1,12}(\.0)?$/.test(text) ? Number(text) : Number.NaN
  return Math.abs(value) <= MOST_CENTS ? { value: cents(value) } : { problem: portabilityErrors.notCents() }
}

/** Parses money in whole cents, above zero. */
export const positiveCents: Parser<Cents> = (cell, context) => {
  const parsed = centsCell(cell, context)
  if ('problem' in parsed || parsed.value > 0) return parsed
  return { problem: portabilityErrors.notWhole({ minimum: 1, maximum: MOST_CENTS }) }
}

/** Parses the hours of a meter with at most two decimals, as hundredths of an hour. */
export const reading: Parser<Hundredths> = (cell, context) => {
  const text = withPoint(cell, context)
  const value = /^\d{1,6}(\.\d{1,2})?$/.test(text) ? readingFromNumber(Number(text)) : null
  return read(value !== null && value <= MAX_READING ? value : null, portabilityErrors.notReading())
}

/** Parses a day. The value is "YYYY-MM-DD". */
export const day: Parser<string> = (cell, { order }) =>
  read(readDay(cell, order), hasShortYear(cell) ? portabilityErrors.shortYear() : portabilityErrors.notDate())

/** The way in which an address book writes a birthday without a year: --05-14. */
const WITHOUT_YEAR = /^--\d\d-?\d\d$/

/** Parses a day of birth. The value is undefined for a birthday without a year. */
export const birthday: Parser<string | undefined> = (cell, context) =>
  WITHOUT_YEAR.test(cell) ? { value: undefined } : day(cell, context)

/** An instant with its offset, such as 2026-03-14T15:30:00Z. */
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/i

/** Parses an instant. A time without an offset is local time of the school; a day alone is the start of this day. */
export const moment: Parser<Date> = (cell, context) =>
  read(
    instantOf(cell, context, (day, zone) => wallToInstant(day, 0, zone)),
    notMoment(cell),
  )

/** Parses the end of a period. It is read like `moment`, but a day alone is the end of this day. */
export const lastMoment: Parser<Date> = (cell, context) => read(instantOf(cell, context, endOfDay), notMoment(cell))

/** Parses a cell with `parse`. The value is null for the word "never". */
export function orNever<T>(parse: Parser<T>): Parser<T | null> {
  return (cell, context) => (cell.toLowerCase() === 'never' ? { value: null } : parse(cell, context))
}

function instantOf(
  cell: string,
  { order, zone: local }: ReadingContext,
  ofDay: (day: string, zone: string) => Date,
): Date | null {
  if (INSTANT.test(cell) && readDay(cell.slice(0, 10), 'iso')) {
    const at = new Date(cell.replace(' ', 'T'))
    return Number.isNaN(at.getTime()) ? null : at
  }
  const found = readMoment(cell, order)
  if (!found) return null
  return found.minute === null ? ofDay(found.day, local) : wallToInstant(found.day, found.minute, local)
}

/** Parses an IANA time zone. */
export const zone: Parser<string> = (cell) => read(isZone(cell) ? cell : null, portabilityErrors.notZone())

/** Parses a country code of two letters. */
export const country: Parser<string> = (cell) =>
  read(/^[a-z]{2}$/i.test(cell) ? cell.toUpperCase() : null, portabilityErrors.notCountry())

/** Parses an airport: its ICAO code, or the local code of an airport without one. */
export const airport: Parser<string> = (cell) =>
  read(/^[a-z0-9]{3,4}$/i.test(cell) ? cell.toUpperCase() : null, fieldErrors.airport())

function notMoment(cell: string) {
  return hasShortYear(cell) ? portabilityErrors.shortYear() : portabilityErrors.notMoment()
}
