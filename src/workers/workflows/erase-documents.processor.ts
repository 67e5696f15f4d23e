import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { eraseDocuments } from '../../shared/workflows/merge-members.ts'
import type { eraseLeftDocuments } from '../../shared/workflows/workflows.jobs.ts'

/**
 * Deletes the personal records (`papers`) of a merged member that were not accepted within seven days. Records that the
 * organization must keep by law stay.
 */
export const eraseLeftDocumentsProcessor: JobProcessor<typeof eraseLeftDocuments> = (payload, tools) =>
  tools.transaction((tx) => eraseDocuments(tx, payload))
