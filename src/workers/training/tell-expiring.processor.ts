import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { notifyExpiring } from '../../shared/training/endorsements/tell-expiring.ts'
import type { expiringEndorsementsJob } from '../../shared/training/training.jobs.ts'

/** Enqueues notifications of endorsements that expire soon, one batch per transaction. */
export const notifyExpiringEndorsements: JobProcessor<typeof expiringEndorsementsJob> = async (_payload, tools) => {
  await inBatches(tools, notifyExpiring)
}
