import type { Tx } from '../db/transaction.ts'

/**
 * Takes a job's own row out of the outbox in the transaction of its work: whatever that transaction writes and owes
 * happens once, however often the queue runs the job. False when an earlier run took it: there is nothing left to do.
 */
export async function claimOutboxEntry(tx: Tx, jobId: string): Promise<boolean> {
  const taken = await tx.db.deleteFrom('outbox').where('id', '=', jobId).returning('id').executeTakeFirst()
  return taken !== undefined
}
