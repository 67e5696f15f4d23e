import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { JobTools } from './job-tools.ts'

/** The most rows that one transaction claims. */
export const BATCH_SIZE = 500

/** A row that this transaction has claimed, so that no other run claims it. */
export interface ClaimedRow {
  id: number
  organizationId: number
}

/**
 * Which rows of a table are due, and which values mark a row as claimed. The SQL expressions refer to the table as `r`.
 */
export interface BatchClaim<Row extends ClaimedRow> {
  table: keyof Tables & string
  /** Joins of other tables that the condition reads. Their rows are not locked. */
  join?: RawBuilder<unknown>
  /** The condition of a due row. A marked row no longer meets the condition. */
  due: RawBuilder<unknown>
  /** The order in which rows are claimed, ascending. */
  order: RawBuilder<unknown>
  /** The new value of each column that a claim writes, computed from the row before the update. */
  mark: Record<string, RawBuilder<unknown>>
  /** Further columns of the row that `each` needs. */
  columns?: readonly Exclude<keyof Row & string, keyof ClaimedRow>[]
  /** Called for each claimed row, to enqueue its jobs in the same transaction. */
  each(row: Row): void
}

/**
 * Claims at most `BATCH_SIZE` due rows of all organizations with one statement and passes each to `each`. Concurrent
 * runs skip each other's rows, so a row is claimed once. Returns the number of claimed rows.
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
 * Runs batches, each in its own transaction, until a batch has fewer than `size` rows. `batch` returns the number of
 * its rows. Returns the sum of these numbers.
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
 * Deletes a job's outbox entry in the transaction of its work, so that the work is committed only once, however often
 * the queue runs the job. Returns false when there is no entry, because an earlier run has done the work.
 * Implements docs/decisions/0003.
 */
export async function claimOutboxEntry(tx: Tx, jobId: string): Promise<boolean> {
  const taken = await tx.db.deleteFrom('outbox').where('id', '=', jobId).returning('id').executeTakeFirst()
  return taken !== undefined
}
