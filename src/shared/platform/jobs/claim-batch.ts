import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { JobTools } from './job-tools.ts'

/** The most rows that one transaction claims. */
export const BATCH_SIZE = 500

/** A row that this transaction has claimed: no other run sees it as due any more. */
export interface ClaimedRow {
  id: number
  organizationId: number
}

/** Which rows of a table are due, and what marks one as claimed. The expressions call the table `r`. */
export interface BatchClaim<Row extends ClaimedRow> {
  table: keyof Tables & string
  /** What the condition reads besides the row, as joins. Nothing of it is locked. */
  join?: RawBuilder<unknown>
  /** Whether a row is due. It no longer holds once the row is marked. */
  due: RawBuilder<unknown>
  /** The most urgent rows have the least. */
  order: RawBuilder<unknown>
  /** Columns with their new values, computed from the row as it was. */
  mark: Record<string, RawBuilder<unknown>>
  /** Further columns of the row that `each` takes. */
  columns?: readonly Exclude<keyof Row & string, keyof ClaimedRow>[]
  /** What follows from a claim, in the same transaction: it enqueues jobs. */
  each(row: Row): void
}

/**
 * Claims at most `BATCH_SIZE` due rows of all organizations with one statement and passes each to `each`. Runs at the
 * same time skip each other's rows, so a row is claimed once. Returns how many were claimed.
 */
export async function claimBatch<Row extends ClaimedRow>(tx: Tx, claim: BatchClaim<Row>): Promise<number> {
  const { table, join = sql``, due, order, mark, columns = [] } = claim
  const marks = Object.entries(mark).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  const further = columns.map((column) => sql`, r.${sql.ref(column)}`)
  const { rows } = await sql<Row>`
    update ${sql.table(table)} as r set ${sql.join(marks)}
    where r.id = any(array(
      select r.id from ${sql.table(table)} r ${join} where ${due}
      order by ${order} limit ${BATCH_SIZE} for update of r skip locked))
    returning r.id, r.organization_id as "organizationId"${sql.join(further, sql``)}`.execute(tx.db)
  for (const row of rows) claim.each(row)
  return rows.length
}

/**
 * Runs batches, each in its own transaction, until one is not full. `batch` returns how many rows it took.
 * Returns the sum.
 */
export async function inBatches(
  tools: Pick<JobTools, 'transaction'>,
  batch: (tx: Tx) => Promise<number>,
  size = BATCH_SIZE,
): Promise<number> {
  let sum = 0
  for (;;) {
    const taken = await tools.transaction(batch)
    sum += taken
    if (taken < size) return sum
  }
}

/**
 * Deletes a job's outbox row in the transaction of its work, so that the work commits once, however often the queue
 * runs the job. Returns false when an earlier run has done it.
 */
export async function claimOutboxEntry(tx: Tx, jobId: string): Promise<boolean> {
  const taken = await tx.db.deleteFrom('outbox').where('id', '=', jobId).returning('id').executeTakeFirst()
  return taken !== undefined
}
