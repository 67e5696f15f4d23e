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

/**
 * The facts of a file that decide how its cells are read: the order of day and month, and the zone of times without
 * one.
 */
export interface ReadingContext {
  order: DateOrder
  zone: string
  /** Whether numbers have a decimal comma, as in a file whose cells are separated by semicolons. */
  decimalComma?: boolean
}

export type Parsed<T> = { value: T } | { problem: Sentence }

/** Reads a cell that is not blank. */
export type Parser<T> = (cell: string, context: ReadingContext) => Parsed<T>

/** A column of a kind of import. */
export interface Column<T, Required extends boolean = boolean> {
  parse: Parser<T>
  required: Required
  /** Other names of the column in schools' spreadsheets; case, spaces and punctuation are ignored. */
  aliases: readonly string[]
  /** The cell of the column in the template. */
  example: string
  /** The description of the content. */
  doc: string
  isDate: boolean
  /** Whether the column contains a list or an object, as JSON. */
  isNested: boolean
  /**
   * Whether several columns of a file may contain the value. Then the first that is not blank counts, in the order of
   * the names.
   */
  firstFilled: boolean
  /**
   * The columns that contain the value in parts, such as first and last name: the names of each part, in the order in
   * which the parts are joined.
   */
  parts: readonly (readonly string[])[]
}

export type Columns = Readonly<Record<string, Column<unknown>>>

/** The values of a row by column; undefined for a blank cell. */
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

/** Returns a column that may be missing or blank. A blank cell does not change the stored value. */
export function optional<T>(parse: Parser<T>, words: ColumnWords): Column<T, false> {
  return { parse, required: false, ...plainColumn, ...words }
}

/** Returns a column that every row must fill in. */
export function required<T>(parse: Parser<T>, words: ColumnWords): Column<T, true> {
  return { parse, required: true, ...plainColumn, ...words }
}

/** Returns the values of a row, or all its problems. A cell that is not imported can have a problem too. */
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

/**
 * Reads the value of a column from the first of its ways that is not blank in the row. The cells of a way are joined.
 */
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

/**
 * Returns the parts joined by blanks. A part is left out when the next part begins with it, because the next part is
 * then the whole name.
 */
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
