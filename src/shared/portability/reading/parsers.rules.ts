import { fieldErrors } from '../../platform/field.errors.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { MAX_READING, readingFromNumber } from '../../platform/kernel/hours.ts'
import { holdsAddress, problemOfLine } from '../../platform/kernel/text.ts'
import { type Cents, cents, type Hundredths } from '../../platform/kernel/units.ts'
import { isZone } from '../../platform/kernel/zones.ts'
import { portabilityErrors } from '../portability.errors.ts'
import type { Parsed, Parser } from './columns.rules.ts'
import { readDay } from './dates.rules.ts'

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

/** The name of a person: mails to strangers contain it, so web addresses are refused. */
export const personName: Parser<string> = (cell, context) =>
  holdsAddress(cell) ? { problem: fieldErrors.noWebAddress() } : line(200)(cell, context)

/** An address, in lower case. */
export const email: Parser<string> = (cell) =>
  read(
    /^[^\s@<>"]{1,64}@[^\s@<>"]+\.[^\s@<>".]+$/.test(cell) && cell.length <= 254 ? cell.toLowerCase() : null,
    portabilityErrors.notEmail(),
  )

/** One of some words, whatever its case and blanks: "recent flights" is `recent_flights`. */
export function word<const W extends string>(words: readonly W[]): Parser<W> {
  return (cell) =>
    read(
      words.find((one) => one === sameWord(cell)),
      portabilityErrors.notOneOf({ choices: words.join(', ') }),
    )
}

/** Several words, between blanks, commas, semicolons or bars; each once. */
export function words<const W extends string>(all: readonly W[]): Parser<W[]> {
  return (cell) => {
    const found = cell.split(/[\s|,;]+/).filter((part) => part !== '')
    const known = found.map((part) => all.find((one) => one === sameWord(part)))
    const isKnown = known.every((one) => one !== undefined)
    return isKnown
      ? { value: [...new Set(known as W[])] }
      : { problem: portabilityErrors.notOneOf({ choices: all.join(', ') }) }
  }
}

function sameWord(cell: string): string {
  return cell.toLowerCase().replace(/[\s-]+/g, '_')
}

const flags: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, y: true, '1': true, x: true },
  ...{ false: false, no: false, n: false, '0': false },
}

/** Yes or no, as spreadsheets say it. */
export const flag: Parser<boolean> = (cell) => read(flags[cell.toLowerCase()], portabilityErrors.notYesNo())

/** A whole number. */
export function whole(least: number, most: number): Parser<number> {
  return (cell) => {
    const value = /^-?\d{1,15}$/.test(cell) ? Number(cell) : Number.NaN
    return value >= least && value <= most ? { value } : { problem: portabilityErrors.notWhole({ least, most }) }
  }
}

/** Money in whole cents, signed. */
export const centsCell: Parser<Cents> = (cell) => {
  const value = /^[+-]?\d{1,12}$/.test(cell) ? Number(cell) : Number.NaN
  return Math.abs(value) <= MOST_CENTS ? { value: cents(value) } : { problem: portabilityErrors.notCents() }
}

/** Hours of a meter: becomes exact hundredths. */
export const reading: Parser<Hundredths> = (cell) => {
  const value = /^\d{1,6}(\.\d{1,2})?$/.test(cell) ? readingFromNumber(Number(cell)) : null
  return read(value !== null && value <= MAX_READING ? value : null, portabilityErrors.notReading())
}

/** A day, "YYYY-MM-DD". */
export const day: Parser<string> = (cell, { order }) => read(readDay(cell, order), portabilityErrors.notDate())

/** An IANA zone. */
export const zone: Parser<string> = (cell) => read(isZone(cell) ? cell : null, portabilityErrors.notZone())

/** A country of two letters. */
export const country: Parser<string> = (cell) =>
  read(/^[a-z]{2}$/i.test(cell) ? cell.toUpperCase() : null, portabilityErrors.notCountry())

/** An airport: ICAO, or the local code of a field without one. */
export const airport: Parser<string> = (cell) =>
  read(/^[a-z0-9]{3,4}$/i.test(cell) ? cell.toUpperCase() : null, portabilityErrors.notAirport())
