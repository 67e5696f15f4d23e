import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import type { Columns, RowOf } from '../reading/columns.rules.ts'
import type { DateFormat, DateOrder } from '../reading/dates.rules.ts'
import type { Header } from '../reading/header.rules.ts'
import type { Encoding } from '../reading/read-text.ts'

/** The result of a row that is not refused. Its problems say what was left out of the row, and why. */
export interface PutRow {
  outcome: 'created' | 'updated' | 'unchanged'
  /** Null for a row that needs no record, such as a balance of zero. */
  id: number | null
  problems?: RowProblem[]
}

/**
 * A kind of import: its columns, the rule that decides whether two rows are about the same record, and the functions
 * that write rows.
 */
export interface ImportKind<C extends Columns = Columns> {
  columns: C
  /**
   * Whether its rows contain email addresses of people. Such an import requires that the actor's own address is
   * verified.
   */
  bringsAddresses: boolean
  /** Whether some of its columns contain lists or objects. */
  nested?: true
  /** The most rows per file and per transaction, when they are fewer than usual. */
  most?: { rows: number; atOnce: number }
  /** The column by which a row names another record of the same kind; the rows that name one are written after the others. */
  refersBy?: string
  /** Returns the names of the record that a row is about. Two rows of a file must not share a name. */
  namesOf(row: RowOf<C>): string[]
  /**
   * Returns the problem of a row that shares this name with an earlier row; null for the usual problem, that it is the
   * same record.
   */
  problemOfShared?(name: string, row: number): RowProblem | null
  externalIdOf(row: RowOf<C>): string | null
  /**
   * Writes those rows of a group that create new records, all together, and returns their results; the other rows are
   * written one by one. When it throws AppError or CellRefused, its changes are rolled back and all rows are written
   * one by one.
   */
  create?(tx: Tx, actor: Actor, rows: readonly RowOf<C>[]): Promise<ReadonlyMap<RowOf<C>, PutRow>>
  /**
   * Loads the records to which a group of rows refers. Returns the function that writes one of the rows by the use
   * cases.
   */
  open(tx: Tx, actor: Actor, rows: readonly RowOf<C>[]): Promise<(row: RowOf<C>) => Promise<PutRow>>
}

/** Returns a kind of import without the type of its columns, for the table of all kinds. */
export function importKind<const C extends Columns>(kind: ImportKind<C>): ImportKind {
  return kind as unknown as ImportKind
}

/** The error that refuses a row because of one of its cells; a null column is for the row as a whole. */
export class CellRefused extends Error {
  readonly problem: RowProblem

  constructor(column: string | null, message: RowProblem['message']) {
    super(message)
    this.problem = { column, message }
  }
}

/** The input of an import, which is stored as JSON in its operation. */
export interface ImportInput {
  kind: string
  format: 'csv' | 'json'
  dryRun: boolean
  dateFormat: DateFormat
  encoding: Encoding | null
  /** What was found out from the file; set when its rows are stored. */
  read?: { header: Header; order: DateOrder; decimalComma?: boolean; sha256: string }
  /** Set while the import waits for the upload of its file. */
  awaits?: boolean
}
