import type { Sentence } from '../../platform/kernel/errors.ts'
import { composed, problemOfText } from '../../platform/kernel/text.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** The names of a column with which a header is matched. */
interface NamedColumn {
  required: boolean
  aliases: readonly string[]
  firstFilled: boolean
  parts: readonly (readonly string[])[]
}

type NamedColumns = Readonly<Record<string, NamedColumn>>

/** A way to read a column: the positions in a row of the cells that together contain its value. */
type Way = readonly number[]

/** A header of a file, matched to the columns of a kind. It is stored as JSON with the import. */
export interface Header {
  /** The names as the file has them. */
  names: readonly string[]
  /** The column of each name; null for a name that is not imported. */
  columns: readonly (string | null)[]
  /** For each column that can have several names in the file: the ways to read it, the preferred one first. */
  ways?: Readonly<Record<string, readonly Way[]>>
}

/** The column with the problems in the file of refused rows. It is ignored when a file with it is imported. */
export const PROBLEM_COLUMN = 'problem'

/** The most characters of the name of a column. */
const MOST_NAME = 200

/**
 * Matches the names in the header of a file with columns. Case, blanks, punctuation and text in square brackets are
 * ignored. Returns a problem instead when a required column is missing, a column appears twice, or a name is too long
 * or contains control characters. Other names are not imported. An alias is not imported when the file also has the
 * column's own name, unless the column is `firstFilled`.
 */
export function matchHeader(columns: NamedColumns, names: readonly string[]): Header | { problem: Sentence } {
  const unfit = names.findIndex((name) => name.length > MOST_NAME || problemOfText(name) !== null)
  if (unfit >= 0) return { problem: portabilityErrors.columnName({ column: unfit + 1, limit: MOST_NAME }) }
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

/** Returns the column of each name; null when it belongs to no column. */
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
 * Returns the ways to read a `firstFilled` column: first each of its names that the file has, with the whole value,
 * then its parts. A name that is a part in this file, such as "Name" beside "First name", is not read as the whole
 * value.
 */
function waysTo(name: string, { aliases, parts }: NamedColumn, plainNames: readonly string[]): Way[] {
  const placesOf = (word: string) => plainNames.flatMap((one, at) => (one === plain(word) ? [at] : []))
  const whole = [...new Set([name, ...aliases].flatMap(placesOf))]
  const inParts = [...new Set(parts.flatMap((words) => words.flatMap(placesOf).slice(0, 1)))]
  if (inParts.length < 2) return [...whole, ...inParts.filter((at) => !whole.includes(at))].map((at) => [at])
  return [...whole.filter((at) => !inParts.includes(at)).map((at) => [at]), inParts]
}

/**
 * Returns the ways to read a column of a row, the preferred one first; empty when the file does not have the column.
 */
export function waysOf({ columns, ways }: Header, name: string): readonly Way[] {
  if (ways && Object.hasOwn(ways, name)) return ways[name]!
  const at = columns.indexOf(name)
  return at < 0 ? [] : [[at]]
}

/** Returns the names of a header that are not imported, except blank names and the problem column. */
export function ignoredNames({ names, columns }: Header): string[] {
  return names.filter((name, at) => columns[at] === null && name !== '' && plain(name) !== PROBLEM_COLUMN)
}

function plain(name: string): string {
  const said = name.replace(/\[[^[\]]*\]/g, '')
  return composed(said)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
