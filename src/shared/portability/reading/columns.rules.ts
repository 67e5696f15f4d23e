import type { Sentence } from '../../platform/kernel/errors.ts'
import { portabilityErrors } from '../portability.errors.ts'
import {
  cleanCell,
  NESTED,
  problemOfCell,
  problemOfNested,
  problemOfSpreadsheet,
  type RowProblem,
} from './cells.rules.ts'
import { type DateOrder, isNoDate } from './dates.rules.ts'
import { type Header, waysOf } from './header.rules.ts'

/** What a cell is read by, besides its text. */
export interface ReadingContext {
  order: DateOrder
  zone: string
  /** A comma is a decimal: the file separates by semicolons. */
  decimalComma?: boolean
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
  /** Several columns of a file may hold it: the first that is not blank does, in the order of the names. */
  firstFilled: boolean
  /** The columns that hold it in parts, such as first and last name: the names of each, in the order in which they are joined. */
  parts: readonly (readonly string[])[]
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
  firstFilled?: boolean
  parts?: readonly (readonly string[])[]
}

const plainColumn = { aliases: [], isDate: false, isNested: false, firstFilled: false, parts: [] } as const

/** A column that may be missing or blank: a blank cell leaves what is stored. */
export function optional<T>(parse: Parser<T>, words: ColumnWords): Column<T, false> {
  return { parse, required: false, ...plainColumn, ...words }
}

/** A column that every row fills in. */
export function required<T>(parse: Parser<T>, words: ColumnWords): Column<T, true> {
  return { parse, required: true, ...plainColumn, ...words }
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
    const read = readFirst(column, waysOf(header, name), cells, context)
    if (read && 'problem' in read) problems.push({ column: name, message: read.problem })
    else row[name] = read?.value
  }
  return problems.length > 0 ? { problems } : { row: row as RowOf<C> }
}

/** Reads the first of the ways in which a row can hold a column that is not blank; the cells of one are joined. */
function readFirst(
  column: Column<unknown>,
  ways: readonly (readonly number[])[],
  cells: readonly string[],
  context: ReadingContext,
): Parsed<unknown> | undefined {
  const texts = ways.map((way) => way.map((at) => cells[at] ?? ''))
  const filled = texts.find((parts) => parts.some((text) => text.startsWith(NESTED) || cleanCell(text) !== ''))
  if (!filled || filled.length === 1) return readCell(column, filled?.[0] ?? '', context)
  const problem = filled.map(problemOfCell).find((one) => one !== null)
  return problem ? { problem } : readCell(column, joinParts(filled.map(cleanCell)), context)
}

/** Returns the parts with blanks between them, without one with which the next begins: a name that is whole already. */
function joinParts(parts: readonly string[]): string {
  const filled = parts.filter((part) => part !== '')
  return filled.filter((part, at) => !filled[at + 1]?.startsWith(`${part} `)).join(' ')
}

function readCell(column: Column<unknown>, text: string, context: ReadingContext): Parsed<unknown> | undefined {
  const inside = text.startsWith(NESTED) && column.isNested ? text.slice(NESTED.length) : null
  const problem = column.isNested ? problemOfNested(inside ?? text) : problemOfCell(text)
  if (problem) return { problem }
  const cell = inside ?? cleanCell(text)
  const made = column.isNested ? null : problemOfSpreadsheet(cell)
  if (made) return { problem: made }
  if (cell !== '' && !(column.isDate && isNoDate(cell))) return column.parse(cell, context)
  return column.required ? { problem: portabilityErrors.required() } : undefined
}
