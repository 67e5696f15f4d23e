import { stringify } from 'csv-stringify/sync'

/**
 * Returns the lines of a CSV file: RFC 4180, with CRLF. A text that a spreadsheet would evaluate as a formula gets an
 * apostrophe in front; numbers are unchanged, negative ones too. `bom` is for the first lines of a file: they then
 * start with the byte order mark by which Excel recognizes UTF-8.
 */
export function csvLines(rows: readonly (readonly unknown[])[], { bom = false } = {}): Buffer {
  return Buffer.from(stringify(rows as unknown[][], { ...options, bom }))
}

const options = {
  escape_formulas: true,
  record_delimiter: 'windows',
  // Quotes lone CR and LF too: the library quotes only its own delimiter.
  quoted_match: /[\r\n]/,
  cast: { boolean: String },
} as const
