import { isDay } from '../../platform/kernel/instants.ts'

/** The formats of dates that an import can declare. */
export const dateFormats = ['auto', 'iso', 'mdy', 'dmy'] as const

export type DateFormat = (typeof dateFormats)[number]

/** The order in which the dates of a file are read. ISO dates are accepted in every order. */
export type DateOrder = Exclude<DateFormat, 'auto'>

/** What the dates of a file show about their order: the first date of each sort; null when there is none. */
export interface DateEvidence {
  monthFirst: string | null
  dayFirst: string | null
  /** A date that can be read both ways. */
  unclear: string | null
}

export const noEvidence: DateEvidence = { monthFirst: null, dayFirst: null, unclear: null }

const NUMBERS = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4})(?:[ T]+(\d{1,2}):(\d\d)(?::\d\d)?\s*([ap]m)?)?$/i
/** The names of each month in English, German, French and Spanish, without accents. */
const MONTHS = [
  'jan january januar janner janv janvier ene enero',
  'feb february februar feber fevr fev fevrier febrero',
  'mar march marz maerz mrz mars marzo',
  'apr april avr avril abr abril',
  'may mai mayo',
  'jun june juni juin junio',
  'jul july juli juil juillet julio',
  'aug august aout ago agosto',
  'sep sept september septembre septiembre setiembre',
  'oct october okt oktober octobre octubre',
  'nov november novembre noviembre',
  'dec december dez dezember decembre dic diciembre',
]
const monthOf = new Map(MONTHS.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)))
const WORD = '(\\p{L}{3,10})\\.?'
const TIME = '(?:[ T]+(\\d{1,2}):(\\d\\d)(?::\\d\\d)?\\s*([ap]m)?)?'
/** 14-May-1990, 14 May 1990, 14. Mai 1990, 1er mai 1990 or 14 de mayo de 1990. */
const DAY_MONTH = new RegExp(`^(\\d{1,2})(?:er)?[ .-]+(?:de )?${WORD}[ ,-]+(?:de )?(\\d{4})${TIME}$`, 'iu')
/** May 14, 1990. */
const MONTH_DAY = new RegExp(`^${WORD}[ -]+(\\d{1,2})[ ,-]+(\\d{4})${TIME}$`, 'iu')
/** 5/14/90, 14-May-90 or May 14, '90, with or without a time of day. */
const SHORT_YEAR = new RegExp(
  `^(?:\\d{1,2}[ ./-]+(?:\\d{1,2}|${WORD})|${WORD}[ -]+\\d{1,2})[ ,./-]+['’]?\\d\\d${TIME}$`,
  'iu',
)
/** The way in which an address book writes that there is no date: 0/0/00. */
const NO_DATE = /^0{1,4}([/.-])0{1,2}\1(?:0{2}|0{4})$/
const ISO_LOCAL = /^(\d{4}-\d\d-\d\d)(?:[ T]+(\d{1,2}):(\d\d)(?::\d\d)?)?$/

/** Returns the evidence after one more cell with a date. */
export function withDate(evidence: DateEvidence, cell: string): DateEvidence {
  const match = NUMBERS.exec(cell)
  if (!match) return evidence
  const [first, second] = [Number(match[1]), Number(match[3])]
  if (first > 12 && second <= 12) return { ...evidence, dayFirst: evidence.dayFirst ?? cell }
  if (second > 12 && first <= 12) return { ...evidence, monthFirst: evidence.monthFirst ?? cell }
  return first === second ? evidence : { ...evidence, unclear: evidence.unclear ?? cell }
}

/**
 * Returns how the dates of a file are read: as the import declares, or else in the order of a date with a part above
 * 12. 'unclear' when they can be read in two ways, 'mixed' when they contradict each other, 'iso' when no date shows an
 * order. Implements interface §Imports.
 */
export function orderOfDates(format: DateFormat, evidence: DateEvidence): DateOrder | 'unclear' | 'mixed' {
  if (format !== 'auto') return format
  if (evidence.monthFirst !== null && evidence.dayFirst !== null) return 'mixed'
  if (evidence.monthFirst !== null) return 'mdy'
  if (evidence.dayFirst !== null) return 'dmy'
  return evidence.unclear === null ? 'iso' : 'unclear'
}

/** Returns the day of a numeric date in each of the two orders, "YYYY-MM-DD"; null when there is no such day. */
export function readingsOf(cell: string): { mdy: string | null; dmy: string | null } {
  return { mdy: readDay(cell, 'mdy'), dmy: readDay(cell, 'dmy') }
}

/** A day, "YYYY-MM-DD", and a time of day in minutes after midnight; null without a time of day. */
export interface LocalMoment {
  day: string
  minute: number | null
}

/** Returns whether a cell means that there is no date, such as 0/0/00. */
export function isNoDate(cell: string): boolean {
  return NO_DATE.test(cell)
}

/** Returns whether a cell is a date with a year of two digits, so that its century is unknown. */
export function hasShortYear(cell: string): boolean {
  return SHORT_YEAR.test(cell)
}

/** Returns the day and the time of day of a cell whose month is a word; null when it is not such a date. */
function readMonthWord(cell: string): LocalMoment | null {
  const dayFirst = DAY_MONTH.exec(cell)
  const match = dayFirst ?? MONTH_DAY.exec(cell)
  if (!match) return null
  const [word, date] = dayFirst ? [match[2]!, match[1]!] : [match[1]!, match[2]!]
  const month = monthOf.get(word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase())
  if (!month) return null
  const day = `${match[3]}-${String(month).padStart(2, '0')}-${date.padStart(2, '0')}`
  return existing(day, match[4], match[5], match[6])
}

/** Returns the day and the time of day of a cell; null when it is not a date. */
export function readMoment(cell: string, order: DateOrder): LocalMoment | null {
  const iso = ISO_LOCAL.exec(cell)
  if (iso) return existing(iso[1]!, iso[2], iso[3])
  const match = NUMBERS.exec(cell)
  if (!match) return readMonthWord(cell)
  if (order === 'iso') return null
  const [month, day] = order === 'mdy' ? [match[1]!, match[3]!] : [match[3]!, match[1]!]
  return existing(`${match[4]}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, match[5], match[6], match[7])
}

/** Returns the day of a cell, "YYYY-MM-DD"; null when it is not a date. A time of day is ignored. */
export function readDay(cell: string, order: DateOrder): string | null {
  return readMoment(cell, order)?.day ?? null
}

/** Returns a day and its time of day; null when one of them does not exist, or the year is not from 1900 to 2199. */
function existing(day: string, hours?: string, minutes?: string, half?: string): LocalMoment | null {
  if (!isDay(day) || day < '1900' || day >= '2200') return null
  if (hours === undefined) return { day, minute: null }
  const [hour, minute] = [Number(hours), Number(minutes)]
  if (minute > 59 || (half ? hour < 1 || hour > 12 : hour > 23)) return null
  const inDay = half ? (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0) : hour
  return { day, minute: inDay * 60 + minute }
}
