import type { Actor } from '../authz/actor.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { JobTools } from '../jobs/job-tools.ts'
import type { Sentence } from '../kernel/errors.ts'
import type { OperationStatus } from '../platform.tables.ts'
import type { OperationKind } from './operation-kinds.rules.ts'

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
  /** Runs since the last progress that did not end, before this one. */
  openRuns: number
}

/** A row that is not done yet. */
export interface PendingRow {
  number: number
  /** The record that it works on; null where the row itself makes or finds it. */
  subjectId: number | null
}

/** Ends an operation as `failed`: `result.error` has the code, the words and the details. What is done stays done. */
export class OperationStopped extends Error {
  readonly code: string
  readonly details: Record<string, unknown> | undefined

  constructor(code: string, message: Sentence, details?: Record<string, unknown>) {
    super(message)
    this.code = code
    this.details = details
  }
}

/** What a kind of operation prepares its rows with. */
export type OperationTools = Pick<JobTools, 'transaction'> & {
  /** What is read and written without a transaction; absent where only work with rows is done, as for the demo. */
  outside?: Pick<JobTools, 'database' | 'storage'>
}

/** What came of a row. `refused` counts as failed, any other word as done. */
export interface RowOutcome {
  number: number
  outcome: string
  problems: readonly unknown[]
  warnings: readonly unknown[]
  detail?: Record<string, unknown> | null
  /** The record that a row made or found. */
  subjectId?: number | null
}

/** The work of a kind of operation. */
export interface OperationWork {
  /** The most that run at a time, of all organizations together; without a bound when left out. */
  mostAtOnce?: number
  /**
   * Writes the rows of an operation that was started without them. It runs before every run of the rest, and does nothing the second
   * time.
   * @throws OperationStopped when nothing can be done
   */
  prepare?(tools: OperationTools, operation: OperationToRun): Promise<void>
  /** Returns pending rows in groups; each is done in one transaction, and a killed worker repeats what was not committed. */
  groups(db: Db, operation: OperationToRun, rows: readonly PendingRow[]): Promise<PendingRow[][]>
  /** Does the rows of a group, in the transaction that writes their outcomes. A refusal that it throws ends the operation as failed. */
  perform(tx: Tx, actor: Actor, operation: OperationToRun, rows: readonly PendingRow[]): Promise<RowOutcome[]>
  /** Enqueues the notifications of the operation, once at its end, and returns its result. */
  finish(tx: Tx, operation: OperationToRun): Promise<Record<string, unknown>>
}
