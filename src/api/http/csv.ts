import { stringify } from 'csv-stringify/sync'

/**
 * Returns the lines of a CSV file: RFC 4180, with CRLF. A text that a spreadsheet would read as a formula begins with an
 * apostrophe; numbers are left as they are, negative ones too.
 */
export function csvLines(rows: readonly (readonly unknown[])[]): Buffer {
  return Buffer.from(stringify(rows as unknown[][], options))
}

const options = { escape_formulas: true, record_delimiter: 'windows', cast: { boolean: String } } as const
