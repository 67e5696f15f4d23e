import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { eraseDocuments } from '../../shared/workflows/merge-members.ts'
import type { eraseLeftDocuments } from '../../shared/workflows/workflows.jobs.ts'

/** Erases what a merged member left behind, once the time to take it over is up. */
export const eraseLeftDocumentsProcessor: JobProcessor<typeof eraseLeftDocuments> = (payload, tools) =>
  tools.transaction((tx) => eraseDocuments(tx, payload))
