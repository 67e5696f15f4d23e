import type { ScheduledJob } from '../../shared/platform/contracts/define-job.ts'
import type { Tx } from '../../shared/platform/db/transaction.ts'
import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'

/**
 * Returns the processor of a scheduled job that enqueues due work. It calls each function again and again, each time in
 * its own transaction, until a batch is not full; then it goes on to the next function.
 */
export function sweep(...batches: readonly ((tx: Tx) => Promise<number>)[]): JobProcessor<ScheduledJob> {
  return async (_payload, tools) => {
    for (const batch of batches) await inBatches(tools, batch)
  }
}
