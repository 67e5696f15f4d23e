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

/** One line of text. */
export function line(most: number): Parser<string> {
  return (cell) => {
    if (problemOfLine(cell) !== null) return { problem: portabilityErrors.oneLine() }
    return cell.length > most ? { problem: portabilityErrors.tooLong({ most }) } : { value: cell }
  }
}

/** Text of several lines. */
export function paragraph(most: number): Parser<string> {
  return (cell) => (cell.length > most ? { problem: portabilityErrors.tooLong({ most }) } : { value: cell })
}

/** Several values, between semicolons or bars. */
export function listOf<T>(parse: Parser<T>): Parser<T[]> {
  return (cell, context) => {
    const parts = cell.split(/[|;]/).flatMap((part) => (part.trim() === '' ? [] : parse(part.trim(), context)))
    const refused = parts.find((part) => 'problem' in part)
    return refused ?? { value: parts.flatMap((part) => ('value' in part ? [part.value] : [])) }
  }
}

/** The first value of a cell in which an address book joins several. */
export function firstOf<T>(parse: Parser<T>): Parser<T> {
  return (cell, context) => parse(cell.split(' ::: ')[0]!.trim(), context)
}

/** The name of a person: mails to strangers contain it, so web addresses are refused. */
export const personName: Parser<string> = (cell, context) =>
  holdsAddress(cell) ? { problem: fieldErrors.noWebAddress() } : line(200)(cell, context)

/** An address as addresses are stored and compared. */
export const email: Parser<string> = (cell) => read(readAddress(cell), fieldErrors.email())

/** One of some words, whatever its case and blanks: "recent flights" is `recent_flights`. */
export function word<const W extends string>(words: readonly W[]): Parser<W> {
  return (cell) =>
    read(
      words.find((one) => one === sameWord(cell)),
      fieldErrors.oneOf({ choices: words.join(', ') }),
    )
}

/** Several words, between blanks, commas, semicolons or bars; each once. */
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

/** Yes or no, as spreadsheets say it. */
export const flag: Parser<boolean> = (cell) => read(flags[cell.toLowerCase()], portabilityErrors.notYesNo())

/** Returns a number with a point before its decimals, as a file writes it that has a comma there: 1.234,5 is 1234.5. */
function withPoint(cell: string, { decimalComma = false }: ReadingContext): string {
  if (!decimalComma || !/^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/.test(cell)) return cell
  return cell.replaceAll('.', '').replace(',', '.')
}

/** A whole number; spreadsheets write 12.0 too. */
export function whole(least: number, most: number): Parser<number> {
  return (cell, context) => {
    const text = withPoint(cell, context)
    const value = /^-?\d{1,15}(\.0{1,2})?$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? { value } : { problem: portabilityErrors.notWhole({ least, most }) }
  }
}

/** Money in whole cents, signed; spreadsheets write 18500.0 too. Two decimals are those of dollars. */
export const centsCell: Parser<Cents> = (cell, context) => {
  const text = withPoint(cell, context)
  const value = /^[+-]?\d{1,12}(\.0)?$/.test(text) ? Number(text) : Number.NaN
  return Math.abs(value) <= MOST_CENTS ? { value: cents(value) } : { problem: portabilityErrors.notCents() }
}

/** Money in whole cents, above zero. */
export const positiveCents: Parser<Cents> = (cell, context) => {
  const parsed = centsCell(cell, context)
  if ('problem' in parsed || parsed.value > 0) return parsed
  return { problem: portabilityErrors.notWhole({ least: 1, most: MOST_CENTS }) }
}

/** Hours of a meter: becomes exact hundredths. */
export const reading: Parser<Hundredths> = (cell, context) => {
  const text = withPoint(cell, context)
  const value = /^\d{1,6}(\.\d{1,2})?$/.test(text) ? readingFromNumber(Number(text)) : null
  return read(value !== null && value <= MAX_READING ? value : null, portabilityErrors.notReading())
}

/** A day, "YYYY-MM-DD". */
export const day: Parser<string> = (cell, { order }) =>
  read(readDay(cell, order), hasShortYear(cell) ? portabilityErrors.shortYear() : portabilityErrors.notDate())

/** How an address book writes a birthday of which nobody told it the year: --05-14. */
const WITHOUT_YEAR = /^--\d\d-?\d\d$/

/** A day of birth; one without a year is none. */
export const birthday: Parser<string | undefined> = (cell, context) =>
  WITHOUT_YEAR.test(cell) ? { value: undefined } : day(cell, context)

/** An instant with its offset, such as 2026-03-14T15:30:00Z. */
const INSTANT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/i

/** An instant; without an offset a local time of the school, and a day alone is its first moment. */
export const moment: Parser<Date> = (cell, context) =>
  read(
    instantOf(cell, context, (day, zone) => wallToInstant(day, 0, zone)),
    notMoment(cell),
  )

/** The end of what lasts until a day: an instant as `moment` reads it, but a day alone is included. */
export const lastMoment: Parser<Date> = (cell, context) => read(instantOf(cell, context, endOfDay), notMoment(cell))

/** A cell that the parser reads, or the word never: null. */
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

/** An IANA zone. */
export const zone: Parser<string> = (cell) => read(isZone(cell) ? cell : null, portabilityErrors.notZone())

/** A country of two letters. */
export const country: Parser<string> = (cell) =>
  read(/^[a-z]{2}$/i.test(cell) ? cell.toUpperCase() : null, portabilityErrors.notCountry())

/** An airport: ICAO, or the local code of a field without one. */
export const airport: Parser<string> = (cell) =>
  read(/^[a-z0-9]{3,4}$/i.test(cell) ? cell.toUpperCase() : null, fieldErrors.airport())

function notMoment(cell: string) {
  return hasShortYear(cell) ? portabilityErrors.shortYear() : portabilityErrors.notMoment()
}
