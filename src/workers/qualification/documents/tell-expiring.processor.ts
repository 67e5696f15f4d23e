import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { expiringDocumentsJob } from '../../../shared/qualification/documents/documents.jobs.ts'
import { notifyExpiring } from '../../../shared/qualification/documents/tell-expiring.ts'

/** Tells of what expires soon or has expired, a batch in a transaction, until nothing is left. */
export const notifyExpiringDocuments: JobProcessor<typeof expiringDocumentsJob> = async (_payload, tools) => {
  let more = true
  while (more) more = await tools.transaction(notifyExpiring)
}
