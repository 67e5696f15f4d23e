import type { Sentence } from '../../platform/kernel/errors.ts'
import { composed, problemOfText } from '../../platform/kernel/text.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** The names of a column that a header is matched by. */
interface NamedColumn {
  required: boolean
  aliases: readonly string[]
  firstFilled: boolean
  parts: readonly (readonly string[])[]
}

type NamedColumns = Readonly<Record<string, NamedColumn>>

/** The cells that hold a column together, by their places in a row. */
type Way = readonly number[]

/** A header of a file, matched to the columns of a kind. It is kept as JSON with the import. */
export interface Header {
  /** The names as the file has them. */
  names: readonly string[]
  /** Of each name its column; null for one that is not read. */
  columns: readonly (string | null)[]
  /** Of a column that several names hold: the ways to read it, the best first. */
  ways?: Readonly<Record<string, readonly Way[]>>
}

/** The column in which refused rows come back with what is wrong; a file that has it is read without it. */
export const PROBLEM_COLUMN = 'problem'

/** The most characters of the name of a column. */
const MOST_NAME = 200

/**
 * Matches the header of a file to columns, whatever the case, blanks and punctuation of its names, and what stands in square
 * brackets. Returns what is wrong with it instead: a required column that is missing, one that is there twice, or a name that is no
 * name. Other columns are not read, nor is one by another name beside the one that has the name of the column itself, unless the
 * column takes the first that is filled.
 */
export function matchHeader(columns: NamedColumns, names: readonly string[]): Header | { problem: Sentence } {
  const unfit = names.findIndex((name) => name.length > MOST_NAME || problemOfText(name) !== null)
  if (unfit >= 0) return { problem: portabilityErrors.columnName({ column: unfit + 1, most: MOST_NAME }) }
  const plainNames = names.map(plain)
  const matched = matchOne(columns, plainNames)
  const twice = matched.find((name, at) => name !== null && !columns[name]!.firstFilled && matched.indexOf(name) !== at)
  if (twice) return { problem: portabilityErrors.columnTwice({ column: twice }) }
  const ways: Record<string, Way[]> = {}
  for (const [name, column] of Object.entries(columns)) {
    if (!column.firstFilled) continue
    const found = waysTo(name, column, plainNames)
    for (const at of found.flat()) matched[at] = name
    if (found.length > 0) ways[name] = found
  }
  const missing = Object.entries(columns).filter(([name, column]) => column.required && !matched.includes(name))
  if (missing.length > 0) {
    return { problem: portabilityErrors.columnsMissing({ columns: missing.map(([name]) => name).join(', ') }) }
  }
  return { names, columns: matched, ...(Object.keys(ways).length > 0 && { ways }) }
}

/** Returns of each name the column that has it. */
function matchOne(columns: NamedColumns, plainNames: readonly string[]): (string | null)[] {
  const known = new Map<string, string>()
  for (const [name, { aliases }] of Object.entries(columns)) {
    for (const word of [name, ...aliases]) known.set(plain(word), name)
  }
  return plainNames.map((name) => {
    const column = known.get(name)
    if (column === undefined || columns[column]!.firstFilled || name === plain(column)) return column ?? null
    return plainNames.includes(plain(column)) ? null : column
  })
}

/**
 * Returns the ways to a column that takes the first that is filled: whole, by each of its names that the file has, then in parts.
 * A name that is only a part in this file, such as "Name" beside "First name", is not the whole.
 */
function waysTo(name: string, { aliases, parts }: NamedColumn, plainNames: readonly string[]): Way[] {
  const placesOf = (word: string) => plainNames.flatMap((one, at) => (one === plain(word) ? [at] : []))
  const whole = [...new Set([name, ...aliases].flatMap(placesOf))]
  const inParts = [...new Set(parts.flatMap((words) => words.flatMap(placesOf).slice(0, 1)))]
  if (inParts.length < 2) return [...whole, ...inParts.filter((at) => !whole.includes(at))].map((at) => [at])
  return [...whole.filter((at) => !inParts.includes(at)).map((at) => [at]), inParts]
}

/** Returns the ways to read a column of a row, the best first. */
export function waysOf({ columns, ways }: Header, name: string): readonly Way[] {
  if (ways && Object.hasOwn(ways, name)) return ways[name]!
  const at = columns.indexOf(name)
  return at < 0 ? [] : [[at]]
}

/** Returns the names of a file that are not read. */
export function ignoredNames({ names, columns }: Header): string[] {
  return names.filter((name, at) => columns[at] === null && name !== '' && plain(name) !== PROBLEM_COLUMN)
}

function plain(name: string): string {
  const said = name.replace(/\[[^[\]]*\]/g, '')
  return composed(said)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
