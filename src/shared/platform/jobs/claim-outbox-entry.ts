import type { Tx } from '../db/transaction.ts'

/**
 * Deletes a job's outbox row in the transaction of its work, so that the work commits once, however often the queue
 * runs the job. Returns false when an earlier run has done it.
 */
export async function claimOutboxEntry(tx: Tx, jobId: string): Promise<boolean> {
  const taken = await tx.db.deleteFrom('outbox').where('id', '=', jobId).returning('id').executeTakeFirst()
  return taken !== undefined
}
