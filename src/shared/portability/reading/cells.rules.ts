import type { Sentence } from '../../platform/kernel/errors.ts'
import { composed, problemOfText, showsNothing, unwrapped } from '../../platform/kernel/text.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** The most bytes of a cell. */
export const MOST_CELL_BYTES = 32 * 1024

/** The most bytes of a cell with a list or an object, such as a syllabus of some hundred lessons. */
export const MOST_NESTED_BYTES = 512 * 1024

/**
 * The prefix of a cell with an object of a JSON file. A column that reads objects parses the JSON after it; any other
 * column refuses the cell.
 */
export const NESTED = '\u0001nested'

/**
 * A problem of a row, with the column that it is about; null for the row as a whole. The message never contains the
 * text of the cell.
 */
export interface RowProblem {
  column: string | null
  message: Sentence
}

/**
 * Returns the text of a cell as it is read: with composed letters, without blanks and direction marks around it, and
 * without the apostrophe that a spreadsheet puts before a formula to keep it as text. Formulas are not evaluated. Text
 * that displays nothing becomes blank.
 */
export function cleanCell(cell: string): string {
  const trimmed = unwrapped(composed(cell)).trim()
  if (showsNothing(trimmed)) return ''
  return /^'[=+\-@]/.test(trimmed) ? trimmed.slice(1) : trimmed
}

/** Returns why a cell is refused; null when it is not. Implements interface §Imports (limits). */
export function problemOfCell(cell: string): Sentence | null {
  if (cell.length > MOST_CELL_BYTES || Buffer.byteLength(cell) > MOST_CELL_BYTES) {
    return portabilityErrors.cellTooLong({ kibibytes: MOST_CELL_BYTES / 1024 })
  }
  return problemOfText(unwrapped(cell)) === null ? null : portabilityErrors.cellControls()
}

/** The text that spreadsheets display for a formula that fails, in several languages: `#REF!`, `#N/A`, `Err:502`. */
const FORMULA_ERROR = /^(?:#[¡¿]?[\p{Lu}\d_/]+[!?]|#N\/A|#N\/D|#NV|#GETTING_DATA|Err:\d{3})$/u
/** The text that spreadsheets display for a number that is wider than its column. */
const TOO_WIDE = /^#{2,}$/
/** The short form in which spreadsheets write a long number, such as a phone number. Its last digits may be lost. */
const SHORTENED = /^[+-]?\d([.,]\d+)?E[+-]\d{2,3}$/i

/**
 * Returns why a cell is refused in which a spreadsheet replaced the value: a formula error, number signs or a shortened
 * number. Null for other cells.
 */
export function problemOfSpreadsheet(cell: string): Sentence | null {
  if (FORMULA_ERROR.test(cell)) return portabilityErrors.formulaError()
  if (TOO_WIDE.test(cell)) return portabilityErrors.columnTooNarrow()
  return SHORTENED.test(cell) ? portabilityErrors.numberShortened() : null
}

/** Returns why a cell with a list or an object is refused; null when it is not. */
export function problemOfNested(cell: string): Sentence | null {
  return Buffer.byteLength(cell) > MOST_NESTED_BYTES
    ? portabilityErrors.cellTooLong({ kibibytes: MOST_NESTED_BYTES / 1024 })
    : null
}
