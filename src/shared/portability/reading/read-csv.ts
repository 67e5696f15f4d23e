import { pipeline, Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { OperationStopped } from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'

/** The most columns of a file. */
export const MOST_COLUMNS = 200
/** The most characters of a row: every column with a cell of 32 KiB, and as much again for quotation marks. */
export const MOST_RECORD = 2 * MOST_COLUMNS * 32 * 1024
/** The most cells of a row that are held, blank ones too: spreadsheets end their rows with some. */
const MOST_CELLS = 20_000
/** How much of a file is looked at to tell its delimiter. */
const LOOKED_AT = 64 * 1024

/** A first line by which a spreadsheet says what separates the cells. */
const SAID = /^\ufeff?\s*"?sep=([,;|\t])"?[ ,;]*(?:\r\n|[\r\n]|$)/i

/**
 * Yields the rows of a CSV file as cells, the header first: separated as a first line `sep=;` says, else by commas, semicolons or
 * tabs, whichever the header has most of; `tell` learns by which. Blank lines are left out. At most one row is in memory at a time.
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

/** Returns what a file of too many columns is refused with. */
export function tooManyColumns(): OperationStopped {
  return new OperationStopped('TOO_MANY_COLUMNS', portabilityErrors.tooManyColumns({ most: MOST_COLUMNS }))
}

function stoppedBy(error: CsvError, line: number): OperationStopped {
  if (error.code === 'CSV_MAX_RECORD_SIZE') {
    return new OperationStopped('ROW_TOO_LARGE', portabilityErrors.rowTooLarge({ line }))
  }
  return new OperationStopped('QUOTE_NOT_CLOSED', portabilityErrors.quoteNotClosed({ line }))
}

/** Returns the text up to the end of its first line and of a character beyond, so that a line break is whole. */
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

/** Returns the delimiter that the first line has most of, outside quotation marks. */
function delimiterOf(start: string): string {
  const header = start
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
    .replace(/"[^"]*"/g, '')
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((most, one) => (one.count > most.count ? one : most)).delimiter
}
