import type { Actor } from '../authz/actor.ts'
import type { Role } from '../authz/roles.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { OperationKind, OperationStatus } from './operation.table.ts'

/** An operation as its work needs it. */
export interface OperationToRun {
  id: number
  organizationId: number
  kind: OperationKind
  status: OperationStatus
  startedBy: number
  atomic: boolean
  input: Record<string, unknown>
  total: number
  succeeded: number
  failed: number
}

/** A row that is still to be done. */
export interface PendingRow {
  number: number
  subjectId: number
}

/** What came of a row. `refused` counts as failed, any other word as done. */
export interface RowOutcome {
  number: number
  outcome: string
  problems: readonly unknown[]
  warnings: readonly unknown[]
  detail?: Record<string, unknown> | null
}

/** How a kind of operation is done. */
export interface OperationWork {
  /** Who may start and read it; the starter needs one of them at every step. */
  roles: readonly Role[]
  /** Returns pending rows in groups; each is done in one transaction, and a killed worker repeats what was not committed. */
  groups(db: Db, operation: OperationToRun, rows: readonly PendingRow[]): Promise<PendingRow[][]>
  /** Does the rows of a group, within the transaction that writes their outcomes. */
  perform(tx: Tx, actor: Actor, operation: OperationToRun, rows: readonly PendingRow[]): Promise<RowOutcome[]>
  /** Owes people what the operation owes them, once at its end, and returns the result. */
  finish(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>>
}
