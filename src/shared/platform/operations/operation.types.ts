import type { Actor } from '../authz/actor.ts'
import type { Role } from '../authz/roles.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { OperationKind, OperationStatus } from './operation.table.ts'

/** An operation for its work. */
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

/** A row that is not done yet. */
export interface PendingRow {
  number: number
  subjectId: number
}

/** The outcome of a row. `refused` counts as failed, any other word as succeeded. */
export interface RowOutcome {
  number: number
  outcome: string
  problems: readonly unknown[]
  warnings: readonly unknown[]
  detail?: Record<string, unknown> | null
}

/** The work of a kind of operation. */
export interface OperationWork {
  /** The roles that may start and read it. The member who started it needs one of them at every step. */
  roles: readonly Role[]
  /**
   * Returns pending rows in groups. Each group is one transaction, and a restarted worker repeats those that did not
   * commit.
   */
  groups(db: Db, operation: OperationToRun, rows: readonly PendingRow[]): Promise<PendingRow[][]>
  /** Does the rows of a group, in the transaction that writes their outcomes. */
  perform(tx: Tx, actor: Actor, operation: OperationToRun, rows: readonly PendingRow[]): Promise<RowOutcome[]>
  /** Enqueues the notifications of the operation, once at its end, and returns its result. */
  finish(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>>
}
