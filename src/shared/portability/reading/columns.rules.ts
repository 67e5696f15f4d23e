import type { Sentence } from '../../platform/kernel/errors.ts'
import { problemOfText } from '../../platform/kernel/text.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { cleanCell, NESTED, problemOfCell, problemOfNested, type RowProblem } from './cells.rules.ts'
import type { DateOrder } from './dates.rules.ts'

/** What a cell is read by, besides its text. */
export interface ReadingContext {
  order: DateOrder
  zone: string
}

export type Parsed<T> = { value: T } | { problem: Sentence }

/** Reads a cell that is not blank. */
export type Parser<T> = (cell: string, context: ReadingContext) => Parsed<T>

/** A column of a kind of import. */
export interface Column<T, Required extends boolean = boolean> {
  parse: Parser<T>
  required: Required
  /** Other names of it in schools' spreadsheets; case, spaces and punctuation do not matter. */
  aliases: readonly string[]
  /** Its cell in the template. */
  example: string
  /** What it holds. */
  doc: string
  isDate: boolean
  /** It holds a list or an object, as JSON. */
  isNested: boolean
}

export type Columns = Readonly<Record<string, Column<unknown>>>

/** A row as its columns read it; a blank cell is undefined. */
export type RowOf<C extends Columns> = {
  [K in keyof C]: C[K] extends Column<infer T, infer R> ? (R extends true ? T : T | undefined) : never
}

interface ColumnWords {
  example: string
  doc: string
  aliases?: readonly string[]
  isDate?: boolean
  isNested?: boolean
}

/** A column that may be missing or blank: a blank cell leaves what is stored. */
export function optional<T>(parse: Parser<T>, words: ColumnWords): Column<T, false> {
  return { parse, required: false, aliases: [], isDate: false, isNested: false, ...words }
}

/** A column that every row fills in. */
export function required<T>(parse: Parser<T>, words: ColumnWords): Column<T, true> {
  return { parse, required: true, aliases: [], isDate: false, isNested: false, ...words }
}

/** A header of a file, matched to the columns of a kind. */
export interface Header {
  /** The names as the file has them. */
  names: readonly string[]
  /** Of each name its column; null for one that is not read. */
  columns: readonly (string | null)[]
}

/** The column in which refused rows come back with what is wrong; a file that has it is read without it. */
export const PROBLEM_COLUMN = 'problem'

/** The most characters of the name of a column. */
const MOST_NAME = 200

/**
 * Matches the header of a file to columns, whatever the case, blanks and punctuation of its names. Returns what is wrong with it
 * instead: a required column that is missing, one that is there twice, or a name that is no name. Other columns are not read, nor is one by another name
 * beside the one that has the name of the column itself.
 */
export function matchHeader(columns: Columns, names: readonly string[]): Header | { problem: Sentence } {
  const unfit = names.findIndex((name) => name.length > MOST_NAME || problemOfText(name) !== null)
  if (unfit >= 0) return { problem: portabilityErrors.columnName({ column: unfit + 1, most: MOST_NAME }) }
  const known = new Map<string, string>()
  for (const [name, { aliases }] of Object.entries(columns)) {
    for (const word of [name, ...aliases]) known.set(plain(word), name)
  }
  const plainNames = names.map(plain)
  const matched = plainNames.map((name) => {
    const column = known.get(name)
    if (column === undefined) return null
    return name !== plain(column) && plainNames.includes(plain(column)) ? null : column
  })
  const twice = matched.find((name, at) => name !== null && matched.indexOf(name) !== at)
  if (twice) return { problem: portabilityErrors.columnTwice({ column: twice }) }
  const missing = Object.entries(columns).filter(([name, column]) => column.required && !matched.includes(name))
  if (missing.length > 0) {
    return { problem: portabilityErrors.columnsMissing({ columns: missing.map(([name]) => name).join(', ') }) }
  }
  return { names, columns: matched }
}

/** Returns the names of a file that are not read. */
export function ignoredNames({ names, columns }: Header): string[] {
  return names.filter((name, at) => columns[at] === null && name !== '' && plain(name) !== PROBLEM_COLUMN)
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** Returns the values of a row, or everything that is wrong with it; a cell that is not read can be wrong too. */
export function readRow<C extends Columns>(
  columns: C,
  header: Header,
  cells: readonly string[],
  context: ReadingContext,
): { row: RowOf<C> } | { problems: RowProblem[] } {
  const problems: RowProblem[] = []
  const row: Record<string, unknown> = {}
  if (cells.slice(header.names.length).some((cell) => cell.trim() !== '')) {
    problems.push({ column: null, message: portabilityErrors.moreCells() })
  }
  for (const [at, name] of header.names.entries()) {
    const problem =
      header.columns[at] === null && !cells[at]?.startsWith(NESTED) ? problemOfCell(cells[at] ?? '') : null
    if (problem) problems.push({ column: name, message: problem })
  }
  for (const [name, column] of Object.entries(columns)) {
    const at = header.columns.indexOf(name)
    const read = readCell(column, at < 0 ? '' : (cells[at] ?? ''), context)
    if (read && 'problem' in read) problems.push({ column: name, message: read.problem })
    else row[name] = read?.value
  }
  return problems.length > 0 ? { problems } : { row: row as RowOf<C> }
}

function readCell(column: Column<unknown>, text: string, context: ReadingContext): Parsed<unknown> | undefined {
  const inside = text.startsWith(NESTED) && column.isNested ? text.slice(NESTED.length) : null
  const problem = column.isNested ? problemOfNested(inside ?? text) : problemOfCell(text)
  if (problem) return { problem }
  const cell = inside ?? cleanCell(text)
  if (cell !== '') return column.parse(cell, context)
  return column.required ? { problem: portabilityErrors.required() } : undefined
}
