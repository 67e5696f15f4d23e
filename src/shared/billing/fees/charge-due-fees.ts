import type { Tx } from '../../platform/db/transaction.ts'
import { claimDueFees } from './fee.access.ts'
import { chargeFee } from './fees.jobs.ts'

/**
 * Enqueues the charge of fees that were due ten minutes ago and that their jobs have not charged. Returns their number.
 */
export async function chargeFeesDue(tx: Tx): Promise<number> {
  const due = await claimDueFees(tx)
  for (const fee of due) tx.enqueue(chargeFee, fee)
  return due.length
}
