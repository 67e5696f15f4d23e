import type { Actor } from '../authz/actor.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { JobTools } from '../jobs/job-tools.ts'
import type { Sentence } from '../kernel/errors.ts'
import type { OperationStatus } from '../platform.tables.ts'
import type { OperationKind } from './operation-kinds.rules.ts'

/** An operation as its job reads it. */
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
  /** The earlier runs that have started since the last progress and have not ended. */
  openRuns: number
}

/** A row that is not processed yet. */
export interface PendingRow {
  number: number
  /** The id of its record; null when the row itself creates or finds the record. */
  subjectId: number | null
}

/**
 * An error that ends the operation as `failed`. Its code, message and details are in `result.error`. Finished rows
 * stay.
 */
export class OperationStopped extends Error {
  readonly code: string
  readonly details: Record<string, unknown> | undefined

  constructor(code: string, message: Sentence, details?: Record<string, unknown>) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What a kind of operation uses to prepare its rows. */
export type OperationTools = Pick<JobTools, 'transaction'> & {
  /**
   * Access to the database, the object storage and the solver without a transaction. Absent where only rows are processed, as for
   * the demo.
   */
  outside?: Pick<JobTools, 'database' | 'storage' | 'solver'>
}

/** The result of a row. The outcome `refused` counts as failed, any other outcome as succeeded. */
export interface RowOutcome {
  number: number
  outcome: string
  problems: readonly unknown[]
  warnings: readonly unknown[]
  detail?: Record<string, unknown> | null
  /** The id of the record that the row created or found. */
  subjectId?: number | null
}

/** The work of a kind of operation. */
export interface OperationWork {
  /** The most operations of the kind that run at the same time in all organizations; unlimited when absent. */
  mostAtOnce?: number
  /** The delay before one that waits for these is tried again, in milliseconds: ten seconds when absent. */
  tryAgainMs?: number
  /**
   * Writes the rows of an operation that was started without rows. Called at the start of each run; does nothing when
   * the rows exist.
   * @throws OperationStopped when the operation cannot be done
   */
  prepare?(tools: OperationTools, operation: OperationToRun): Promise<void>
  /**
   * Returns the pending rows in groups. Each group is processed in one transaction. After a worker was killed, only the
   * groups that were not committed are processed again.
   */
  groups(db: Db, operation: OperationToRun, rows: readonly PendingRow[]): Promise<PendingRow[][]>
  /**
   * Processes the rows of a group, in the transaction that writes their outcomes. An `AppError` that it throws ends the
   * operation as failed.
   */
  perform(tx: Tx, actor: Actor, operation: OperationToRun, rows: readonly PendingRow[]): Promise<RowOutcome[]>
  /** Enqueues the notifications of the operation and returns its result. Called once, at the end. */
  finish(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>>
}
