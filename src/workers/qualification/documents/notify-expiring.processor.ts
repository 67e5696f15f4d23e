import { inBatches } from '../../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { expiringDocumentsJob } from '../../../shared/qualification/documents/documents.jobs.ts'
import { notifyExpiring } from '../../../shared/qualification/documents/notify-expiring.ts'

/** Enqueues notifications of documents that expire soon or have expired, one batch per transaction. */
export const notifyExpiringDocuments: JobProcessor<typeof expiringDocumentsJob> = async (_payload, tools) => {
  await inBatches(tools, notifyExpiring)
}
