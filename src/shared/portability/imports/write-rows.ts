import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { inSavepoint } from '../../platform/db/savepoint.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { AppError, type Sentence } from '../../platform/kernel/errors.ts'
import type {
  OperationToRun,
  OperationWork,
  PendingRow,
  RowOutcome,
} from '../../platform/operations/operation.types.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import { type Columns, readRow } from '../reading/columns.rules.ts'
import { ignoredNames } from '../reading/header.rules.ts'
import { kindOf } from './find-import-kind.ts'
import { countOutcomes, findCells, findFilled } from './import.access.ts'
import { CellRefused, type ImportInput, type ImportKind, type PutRow } from './import.types.ts'
import { readImport } from './read-import.ts'

/** The most rows that one transaction writes. */
const WRITTEN_AT_ONCE = 200

/** The work of the operation `import`. */
export const importWork: OperationWork = {
  prepare: readImport,
  groups: importGroups,
  perform: writeRows,
  finish: finishImport,
}

/**
 * Returns the rows in groups, one per transaction; a single group for an atomic import. Rows that name another record of the kind are in
 * the last groups.
 */
async function importGroups(
  db: Db,
  operation: OperationToRun,
  pending: readonly PendingRow[],
): Promise<PendingRow[][]> {
  const { organizationId, id: operationId, atomic, input } = operation
  const { kind, read } = input as unknown as ImportInput
  const { refersBy } = kindOf(kind)
  const places = (read?.header.columns ?? []).flatMap((column, at) =>
    column !== null && column === refersBy ? [at] : [],
  )
  const refer = places.length > 0 ? await findFilled(db, { organizationId, operationId }, places) : new Set<number>()
  const rows = [...pending.filter((row) => !refer.has(row.number)), ...pending.filter((row) => refer.has(row.number))]
  const size = atomic ? Math.max(1, rows.length) : (kindOf(kind).most?.atOnce ?? WRITTEN_AT_ONCE)
  return Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => rows.slice(at * size, (at + 1) * size))
}

/**
 * Writes a group of rows by the use cases of their kind. A row that a use case refuses gets the outcome `refused`. A
 * dry run rolls back all changes, and so does an atomic import with a refused row.
 */
async function writeRows(
  tx: Tx,
  actor: Actor,
  { organizationId, id: operationId, atomic, failed, input }: OperationToRun,
  pending: readonly PendingRow[],
): Promise<RowOutcome[]> {
  const { kind: name, dryRun, read } = input as unknown as ImportInput
  if (!read) return []
  const of = { organizationId, operationId }
  const rows = await findCells(
    tx.db,
    of,
    pending.map(({ number }) => number),
  )
  const kind = kindOf(name)
  const { order, decimalComma = false } = read
  const context = { order, decimalComma, zone: actor.organization.timeZoneName }
  const typed = rows.flatMap(({ number, cells }) => {
    const parsed = readRow(kind.columns, read.header, cells, context)
    return 'row' in parsed ? [{ number, row: parsed.row as Record<string, unknown> }] : []
  })
  const refers = ({ row }: { row: Record<string, unknown> }) =>
    Number(kind.refersBy !== undefined && row[kind.refersBy] !== undefined)
  typed.sort((one, other) => refers(one) - refers(other))
  return inSavepoint(tx, async () => {
    const by = { ...actor, operationId }
    const created = await createRows(
      tx,
      kind,
      by,
      typed.map(({ row }) => row),
    )
    const others = typed.flatMap(({ row }) => (created.has(row) ? [] : [row]))
    const put = others.length > 0 ? await kind.open(tx, by, others) : null
    const outcomes: RowOutcome[] = []
    for (const { number, row } of typed) {
      const done = created.get(row) ?? (await writeRow(tx, kind, () => put!(row)))
      outcomes.push(outcomeOf(number, done, dryRun))
    }
    const isUndone = atomic && (failed > 0 || outcomes.some(({ outcome }) => outcome === 'refused'))
    return { keep: !dryRun && !isUndone, result: isUndone && !dryRun ? outcomes.map(unwritten) : outcomes }
  })
}

/**
 * Writes those of the rows that create new records, all together. Returns an empty map when one of them is refused, or
 * when the kind does not support it.
 */
async function createRows(
  tx: Tx,
  kind: ImportKind,
  actor: Actor,
  rows: readonly object[],
): Promise<ReadonlyMap<object, PutRow>> {
  const { create } = kind
  if (!create) return new Map()
  try {
    return await inSavepoint(tx, async () => ({ keep: true, result: await create(tx, actor, rows as never) }))
  } catch (error) {
    if (error instanceof AppError || error instanceof CellRefused) return new Map()
    throw error
  }
}

/** Writes one row. When it is refused, rolls back its changes and returns its problems. */
async function writeRow(tx: Tx, kind: ImportKind, put: () => Promise<PutRow>): Promise<PutRow | RowProblem[]> {
  try {
    return await inSavepoint(tx, async () => ({ keep: true, result: await put() }))
  } catch (error) {
    if (error instanceof CellRefused) return [error.problem]
    if (error instanceof AppError) return problemsOf(kind.columns, error)
    throw error
  }
}

function outcomeOf(number: number, put: PutRow | RowProblem[], dryRun: boolean): RowOutcome {
  if (Array.isArray(put)) return { number, outcome: 'refused', problems: put, warnings: [] }
  const { outcome, id, problems = [] } = put
  return { number, outcome, problems, warnings: [], subjectId: dryRun && outcome === 'created' ? null : id }
}

/** Returns the outcome of a row whose changes were rolled back because another row was refused: `unchanged`. */
function unwritten(row: RowOutcome): RowOutcome {
  return row.outcome === 'created' || row.outcome === 'updated'
    ? { ...row, outcome: 'unchanged', subjectId: row.outcome === 'created' ? null : row.subjectId }
    : row
}

/** Returns the problems of an error of a use case, each with its column; null when the error is not about a column. */
function problemsOf(columns: Columns, { message, details }: AppError): RowProblem[] {
  const listed = details?.problems
  if (Array.isArray(listed))
    return listed.map((one) => ({ column: columnOf(columns, one.field), message: one.message }))
  const [, path = '', words = ''] = /^([a-zA-Z0-9.]+): (.+)$/s.exec(message) ?? []
  const column = columnOf(columns, path)
  return [{ column, message: (column ? words : message) as Sentence }]
}

function columnOf(columns: Columns, path: unknown): string | null {
  if (typeof path !== 'string') return null
  return path.split('.').findLast((part) => Object.hasOwn(columns, part)) ?? null
}

/** Returns the result of an import: how many rows had each outcome, the order of its dates, and the ignored columns. */
async function finishImport(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>> {
  const { organizationId, id: operationId, atomic, failed } = operation
  const { kind, dryRun, read } = operation.input as unknown as ImportInput
  const {
    created = 0,
    updated = 0,
    unchanged = 0,
    refused = 0,
  } = await countOutcomes(tx.db, {
    organizationId,
    operationId,
  })
  return {
    kind,
    dryRun,
    applied: !dryRun && !(atomic && failed > 0),
    created,
    updated,
    unchanged,
    refused,
    dateFormat: read?.order ?? null,
    ignoredColumns: read ? ignoredNames(read.header) : [],
  }
}
