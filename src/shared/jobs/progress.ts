import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'

/**
 * The ids of what earlier runs of a job have done already; null when it is not owed any more. For a job that does many
 * things outside one by one, some of which may fail: the next run does the rest.
 */
export async function findProgress(db: Db, jobId: string): Promise<number[] | null> {
  const row = await db.selectFrom('outbox').select('done').where('id', '=', jobId).executeTakeFirst()
  return row?.done ?? null
}

/** Writes down what a run has done, with the job itself: it goes when the job goes. */
export async function noteProgress(tx: Tx, jobId: string, done: readonly number[]): Promise<void> {
  await tx.db
    .updateTable('outbox')
    .set({ done: sql<number[]>`${JSON.stringify(done)}::jsonb` })
    .where('id', '=', jobId)
    .execute()
}
