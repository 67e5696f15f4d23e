import { OperationStopped } from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** How an object stands in a cell: no column reads it, and its row says so. */
export const NESTED = '\u0000nested'

/**
 * Yields a JSON array of objects as rows of cells, the header first: the keys of all objects in the order of the first of each.
 * @throws OperationStopped NOT_JSON for anything else
 */
export function* readJson(text: string): Generator<string[]> {
  const rows = objectsOf(text)
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  yield header
  for (const row of rows) yield header.map((key) => cellOf(Object.hasOwn(row, key) ? row[key] : null))
}

function objectsOf(text: string): Record<string, unknown>[] {
  try {
    const rows: unknown = JSON.parse(text)
    if (Array.isArray(rows) && rows.every(isObject)) return rows
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new OperationStopped('NOT_JSON', portabilityErrors.notJson())
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a value as the cell that a spreadsheet would have for it. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.some((one) => typeof one === 'object') ? NESTED : value.join(' ')
  return typeof value === 'object' ? NESTED : String(value)
}
