import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { OperationStopped } from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** The most columns of a file. */
export const MOST_COLUMNS = 200
/** The most characters of a row: every column with a cell of 32 KiB, and as much again for quotation marks. */
export const MOST_RECORD = 2 * MOST_COLUMNS * 32 * 1024
/**
 * The most cells of a row, blank ones included. It is above `MOST_COLUMNS`, because spreadsheets add blank cells at the
 * end of rows.
 */
const MOST_CELLS = 20_000
/** How many characters of a file are read to find its delimiter. */
const LOOKED_AT = 64 * 1024

/** A first line with which a spreadsheet declares the delimiter, such as `sep=;`. */
const SAID = /^\ufeff?\s*"?sep=([,;|\t])"?[ ,;]*(?:\r\n|[\r\n]|$)/i

/**
 * Yields the rows of a CSV file as cells, the header first. The delimiter is the one that a first line such as `sep=;`
 * declares, otherwise the comma, semicolon or tab, whichever is most frequent in the header. `tell` is called with it.
 * Blank lines are left out. Only one row is in memory at a time.
 * @throws OperationStopped QUOTE_NOT_CLOSED, ROW_TOO_LARGE or TOO_MANY_COLUMNS
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  tell: (delimiter: string) => void = () => {},
): AsyncGenerator<string[]> {
  const { start: first, rest } = await firstLines(text)
  const said = SAID.exec(first)
  const start = said ? first.slice(said[0].length) : first
  const delimiter = said?.[1] ?? delimiterOf(start)
  tell(delimiter)
  let line = said ? 1 : 0
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: MOST_RECORD,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    cast: (cell, { index }) => {
      if (index >= MOST_CELLS) throw tooManyColumns()
      return cell
    },
    on_record(record: string[], { lines }) {
      line = said ? lines + 1 : lines
      return record
    },
  })
  pipeline(Readable.from(joined(start, rest)), parser, () => {})
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (cells.length > MOST_COLUMNS && cells.slice(MOST_COLUMNS).some((cell) => cell.trim() !== '')) {
        throw tooManyColumns()
      }
      if (cells.some((cell) => cell.trim() !== '')) yield cells.slice(0, MOST_COLUMNS)
    }
  } catch (error) {
    throw error instanceof CsvError ? stoppedBy(error, line + 1) : error
  } finally {
    parser.destroy()
  }
}

/** Returns the error for a file with too many columns. */
export function tooManyColumns(): OperationStopped {
  return new OperationStopped('TOO_MANY_COLUMNS', portabilityErrors.tooManyColumns({ limit: MOST_COLUMNS }))
}

function stoppedBy(error: CsvError, line: number): OperationStopped {
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new OperationStopped('ROW_TOO_LARGE', portabilityErrors.rowTooLarge({ line }))
  }
  return new OperationStopped('QUOTE_NOT_CLOSED', portabilityErrors.quoteNotClosed({ line }))
}

/**
 * Returns the start of the text, with the first line and at least one character after it, so that a line break of two
 * characters is complete. `rest` has the rest of the text.
 */
async function firstLines(text: AsyncIterable<string>) {
  const rest = text[Symbol.asyncIterator]()
  let start = ''
  while (start.length < LOOKED_AT && !/[\r\n]./s.test(start.trimStart())) {
    const { value, done } = await rest.next()
    if (done) break
    start += value
  }
  return { start, rest: { [Symbol.asyncIterator]: () => rest } }
}

async function* joined(start: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield start
  yield* rest
}

/**
 * Returns the delimiter that is most frequent in the first line, outside quotation marks; a comma when there is none.
 */
function delimiterOf(start: string): string {
  const header = start
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
    .replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}
