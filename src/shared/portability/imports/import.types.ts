import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import type { Columns, RowOf } from '../reading/columns.rules.ts'
import type { DateFormat, DateOrder } from '../reading/dates.rules.ts'
import type { Header } from '../reading/header.rules.ts'
import type { Encoding } from '../reading/read-text.ts'

/** What an import does of a row. The problems of one that is not refused say what of it was left out, and why. */
export interface PutRow {
  outcome: 'created' | 'updated' | 'unchanged'
  /** Null for a row that needs no record, such as a balance of zero. */
  id: number | null
  problems?: RowProblem[]
}

/** A kind of import: its columns, what makes two rows the same record, and how a row is written. */
export interface ImportKind<C extends Columns = Columns> {
  columns: C
  /** Whether its rows bring addresses of people, for which the one who imports needs a verified one. */
  bringsAddresses: boolean
  /** Whether columns of it hold lists or objects. */
  nested?: true
  /** The most rows of a file, and of a transaction, where they are fewer than usual. */
  most?: { rows: number; atOnce: number }
  /** Returns the names of the record that a row is about; two rows of a file never share one. */
  namesOf(row: RowOf<C>): string[]
  /** Returns what is wrong with a row that shares one of its names with an earlier row; null to say that it is the same. */
  problemOfShared?(name: string, row: number): RowProblem | null
  externalIdOf(row: RowOf<C>): string | null
  /**
   * Puts those of a group of rows that make new records, together, and returns what came of each; the other rows are put one by
   * one. What it wrote is undone when it throws, and then all rows are put one by one.
   */
  create?(tx: Tx, actor: Actor, rows: readonly RowOf<C>[]): Promise<ReadonlyMap<RowOf<C>, PutRow>>
  /** Loads what a group of rows refers to, and returns what puts one of them through the use cases. */
  open(tx: Tx, actor: Actor, rows: readonly RowOf<C>[]): Promise<(row: RowOf<C>) => Promise<PutRow>>
}

/** Returns a kind of import as one of the table of kinds, which does not know its columns. */
export function importKind<const C extends Columns>(kind: ImportKind<C>): ImportKind {
  return kind as unknown as ImportKind
}

/** Refuses a row for one of its cells. */
export class CellRefused extends Error {
  readonly problem: RowProblem

  constructor(column: string | null, message: RowProblem['message']) {
    super(message)
    this.problem = { column, message }
  }
}

/** An import as its operation keeps it: JSON. */
export interface ImportInput {
  kind: string
  format: 'csv' | 'json'
  dryRun: boolean
  dateFormat: DateFormat
  encoding: Encoding | null
  /** What was read of the file, once its rows are written. */
  read?: { header: Header; order: DateOrder; decimalComma?: boolean; sha256: string }
  /** Waits for its file to be uploaded. */
  awaits?: boolean
}
