import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { erasePapers } from '../../shared/workflows/merge-members.ts'
import type { eraseLeftPapers } from '../../shared/workflows/workflows.jobs.ts'

/** Erases what a merged member left behind, once the time to take it over is up. */
export const erasePapersLeft: JobProcessor<typeof eraseLeftPapers> = (payload, tools) =>
  tools.transaction((tx) => erasePapers(tx, payload))
