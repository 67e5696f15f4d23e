import type { Sentence } from '../../platform/kernel/errors.ts'
import { composed, problemOfText, showsNothing, unwrapped } from '../../platform/kernel/text.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** The most bytes of a cell. */
export const MOST_CELL_BYTES = 32 * 1024

/** The most bytes of a cell that holds a list or an object: a syllabus of some hundred lessons. */
export const MOST_NESTED_BYTES = 512 * 1024

/** How an object of a JSON file begins in a cell. A column that reads objects finds it as JSON behind this; no other does. */
export const NESTED = '\u0001nested'

/** What is wrong with a row: the column that it is about, null for the row as a whole. It never repeats what the cell holds. */
export interface RowProblem {
  column: string | null
  message: Sentence
}

/**
 * Returns a cell as its value is read: with composed letters, without blanks and marks of direction around it, and without the
 * apostrophe by which a spreadsheet takes a formula as text. A formula is text; what shows nothing is blank.
 */
export function cleanCell(cell: string): string {
  const trimmed = unwrapped(composed(cell)).trim()
  if (showsNothing(trimmed)) return ''
  return /^'[=+\-@]/.test(trimmed) ? trimmed.slice(1) : trimmed
}

/** Returns why a cell refuses its row, or null. Implements interface §Imports (limits). */
export function problemOfCell(cell: string): Sentence | null {
  if (cell.length > MOST_CELL_BYTES || Buffer.byteLength(cell) > MOST_CELL_BYTES) {
    return portabilityErrors.cellTooLong({ kibibytes: MOST_CELL_BYTES / 1024 })
  }
  return problemOfText(unwrapped(cell)) === null ? null : portabilityErrors.cellControls()
}

/** What spreadsheets show where a formula fails, in the languages that they speak: `#REF!`, `#N/A`, `Err:502`. */
const FORMULA_ERROR = /^(?:#[¡¿]?[\p{Lu}\d_/]+[!?]|#N\/A|#N\/D|#NV|#GETTING_DATA|Err:\d{3})$/u
/** What they show for a number that is wider than its column. */
const TOO_WIDE = /^#{2,}$/
/** How they write a long number, such as one of a phone, of which the last digits may be gone. */
const SHORTENED = /^[+-]?\d([.,]\d+)?E[+-]\d{2,3}$/i

/** Returns why a cell is not what somebody wrote, but what a spreadsheet made of it; else null. */
export function problemOfSpreadsheet(cell: string): Sentence | null {
  if (FORMULA_ERROR.test(cell)) return portabilityErrors.formulaError()
  if (TOO_WIDE.test(cell)) return portabilityErrors.columnTooNarrow()
  return SHORTENED.test(cell) ? portabilityErrors.numberShortened() : null
}

/** Returns why a cell with a list or an object refuses its row, or null. */
export function problemOfNested(cell: string): Sentence | null {
  return Buffer.byteLength(cell) > MOST_NESTED_BYTES
    ? portabilityErrors.cellTooLong({ kibibytes: MOST_NESTED_BYTES / 1024 })
    : null
}
