import { createHash } from 'node:crypto'
import type { Tx } from '../../platform/db/transaction.ts'
import {
  lockOpenOperation,
  type OperationOf,
  setOperation,
  writeOutcomes,
} from '../../platform/operations/operation.access.ts'
import {
  OperationStopped,
  type OperationTools,
  type OperationToRun,
  type RowOutcome,
} from '../../platform/operations/operation.types.ts'
import { portabilityErrors } from '../portability.errors.ts'
import { cleanCell, MOST_CELL_BYTES, MOST_NESTED_BYTES, NESTED } from '../reading/cells.rules.ts'
import { type ReadingContext, readRow } from '../reading/columns.rules.ts'
import {
  type DateEvidence,
  type DateOrder,
  noEvidence,
  orderOfDates,
  readingsOf,
  withDate,
} from '../reading/dates.rules.ts'
import { type Header, matchHeader } from '../reading/header.rules.ts'
import { readCsv } from '../reading/read-csv.ts'
import { readJson } from '../reading/read-json.ts'
import { readText } from '../reading/read-text.ts'
import { kindOf } from './find-import-kind.ts'
import {
  deleteContent,
  findCells,
  findContent,
  findObject,
  findZone,
  type ImportedRow,
  insertRows,
} from './import.access.ts'
import type { ImportInput, ImportKind } from './import.types.ts'

const MOST_ROWS = 50_000
/**
 * The most rows, and the most of their characters, that are in memory at a time. A single row can have more characters.
 */
const AT_ONCE = { rows: 500, characters: 512 * 1024 }

/**
 * Reads the file of an import and stores its rows, in one transaction: after a worker was killed, the next run reads
 * the file again. The whole file is checked before the first record is written: a row that cannot be read, or is about
 * the record of an earlier row, is refused. A second call does nothing.
 * @throws OperationStopped when the file cannot be read
 */
export async function readImport(tools: OperationTools, { organizationId, id }: OperationToRun): Promise<void> {
  await tools.transaction(async (tx) => {
    const of = { organizationId, operationId: id }
    const operation = await lockOpenOperation(tx, of)
    const input = operation?.input as unknown as ImportInput | undefined
    if (!input || input.read || operation?.status !== 'running') return
    const kind = kindOf(input.kind)
    const sent = await sentOf(tx, tools, of)
    const { header, evidence, decimalComma, total, pages } = await writeRows(tx, of, { input, kind, sent })
    const order = assertAgrees(orderOfDates(input.dateFormat, evidence), evidence)
    const read = { header, order, decimalComma, sha256: sent.sha256() }
    await setOperation(tx, of, { total, input: { ...input, read }, open_runs: 1 })
    const context = { order, decimalComma, zone: await findZone(tx, organizationId) }
    await refuseUnread(tx, of, { kind, header, pages, context })
    await deleteContent(tx, of)
  })
}

/**
 * The file of an import, which can be opened several times. `sha256` returns the hash of its bytes; empty before they
 * were read.
 */
interface Sent {
  open(): AsyncIterable<Uint8Array>
  sha256(): string
}

/**
 * Returns the content that was sent in the body, or the object that was uploaded. The import stops when the object is
 * missing, or when its bytes are not the same each time that it is opened.
 */
async function sentOf(tx: Tx, { outside }: OperationTools, of: OperationOf): Promise<Sent> {
  const object = await findObject(tx.db, of)
  const content = object ? null : ((await findContent(tx.db, of)) ?? '')
  let known: string | null = null
  async function* open() {
    const hash = createHash('sha256')
    const bytes = content === null ? await outside!.storage.read(object!.storageKey) : [Buffer.from(content)]
    if (bytes === null) throw new OperationStopped('FILE_MISSING', portabilityErrors.fileGone())
    for await (const chunk of bytes) {
      hash.update(chunk)
      yield chunk as Uint8Array
    }
    const digest = hash.digest('hex')
    if (known !== null && known !== digest) throw new OperationStopped('FILE_CHANGED', portabilityErrors.fileChanged())
    known = digest
  }
  return { open, sha256: () => known ?? '' }
}

/**
 * Yields the rows of the file, the header first. For a CSV file, calls `tell` with the delimiter before the first row.
 */
async function* rowsOf(
  { sent, kind, input: { format, encoding } }: Reading,
  tell: (delimiter: string) => void,
): AsyncGenerator<string[]> {
  const text = () => readText(sent.open, encoding)
  yield* format === 'json' ? readJson(text, kind.nested) : readCsv(text(), tell)
}

interface Reading {
  input: ImportInput
  kind: ImportKind
  sent: Sent
}

/**
 * Stores the rows with their cells as they are. Returns the header, what the dates show about their order, whether
 * numbers have a decimal comma, the number of rows, and the row numbers by page.
 */
async function writeRows(tx: Tx, of: OperationOf, reading: Reading) {
  const { kind } = reading
  const mostBytes = kind.nested ? MOST_NESTED_BYTES + NESTED.length : MOST_CELL_BYTES
  let header: Header | undefined
  let evidence: DateEvidence = noEvidence
  let decimalComma = false
  let total = 0
  const most = kind.most?.rows ?? MOST_ROWS
  const pages: number[][] = []
  let some: (ImportedRow & { externalId: string | null })[] = []
  let characters = 0
  const write = async () => {
    await insertRows(tx, of, some)
    pages.push(some.map(({ number }) => number))
    some = []
    characters = 0
  }
  // A file whose cells are separated by semicolons has decimal commas in its numbers.
  for await (const cells of rowsOf(reading, (delimiter) => (decimalComma = delimiter === ';'))) {
    if (!header) {
      header = assertFits(kind, cells)
      continue
    }
    total += 1
    if (total > most) throw new OperationStopped('TOO_MANY_ROWS', portabilityErrors.tooManyRows({ limit: most }))
    for (const cell of datesOf(kind, header, cells)) evidence = withDate(evidence, cell)
    const row = {
      number: total,
      cells: cells.map((cell) => storable(cell, mostBytes)),
      externalId: externalIdOf(header, cells),
    }
    some.push(row)
    for (const cell of row.cells) characters += cell.length
    if (some.length === AT_ONCE.rows || characters >= AT_ONCE.characters) await write()
  }
  if (!header) throw new OperationStopped('NO_HEADER', portabilityErrors.noHeader())
  if (some.length > 0) await write()
  return { header, evidence, decimalComma, total, pages }
}

function assertFits(kind: ImportKind, names: readonly string[]): Header {
  const header = matchHeader(kind.columns, names.map(cleanCell))
  if ('problem' in header) throw new OperationStopped('COLUMNS_DO_NOT_FIT', header.problem)
  return header
}

function datesOf(kind: ImportKind, { columns }: Header, cells: readonly string[]): string[] {
  return cells.flatMap((cell, at) => {
    const column = columns[at]
    return column && kind.columns[column]?.isDate ? [cleanCell(cell)] : []
  })
}

function externalIdOf({ columns }: Header, cells: readonly string[]): string | null {
  const at = columns.indexOf('externalId')
  return (at >= 0 && storable(cleanCell(cells[at] ?? '')).slice(0, 100)) || null
}

/**
 * Returns a cell in a form that the database can store. NUL is replaced by another control character, because of which
 * the row is refused later. A cell that is too long is cut one character above the limit, so that the row is still
 * refused.
 */
function storable(cell: string, mostBytes: number = MOST_CELL_BYTES): string {
  return cell
    .slice(0, mostBytes + 1)
    .toWellFormed()
    .replaceAll('\u0000', '\u0001')
}

function assertAgrees(order: DateOrder | 'unclear' | 'mixed', { unclear }: DateEvidence): DateOrder {
  if (order === 'mixed') throw new OperationStopped('AMBIGUOUS_DATES', portabilityErrors.datesMixed())
  if (order !== 'unclear') return order
  const { mdy, dmy } = readingsOf(unclear ?? '')
  const readings = [
    { format: 'mdy', example: mdy },
    { format: 'dmy', example: dmy },
  ]
  const words = { example: unclear ?? '', monthFirst: mdy ?? '', dayFirst: dmy ?? '' }
  throw new OperationStopped('AMBIGUOUS_DATES', portabilityErrors.datesUnclear(words), { readings })
}

interface Unread {
  kind: ImportKind
  header: Header
  pages: readonly number[][]
  context: ReadingContext
}

/** Refuses the rows whose cells cannot be read, and the rows that are about the record of an earlier row. */
async function refuseUnread(tx: Tx, of: OperationOf, { kind, header, pages, context }: Unread): Promise<void> {
  const seen = new Map<string, number>()
  for (const numbers of pages) {
    const refused: RowOutcome[] = []
    for (const { number, cells } of await findCells(tx.db, of, numbers)) {
      const read = readRow(kind.columns, header, cells, context)
      const problems = 'problems' in read ? read.problems : sameAs(kind, kind.namesOf(read.row), number, seen)
      if (problems.length > 0) refused.push({ number, outcome: 'refused', problems, warnings: [] })
    }
    if (refused.length > 0) await writeOutcomes(tx, of, refused)
  }
}

function sameAs(kind: ImportKind, names: readonly string[], number: number, seen: Map<string, number>) {
  const shared = names.find((name) => seen.has(name))
  if (shared !== undefined) {
    const row = seen.get(shared)!
    return [kind.problemOfShared?.(shared, row) ?? { column: null, message: portabilityErrors.sameRow({ row }) }]
  }
  for (const name of names) seen.set(name, number)
  return []
}
