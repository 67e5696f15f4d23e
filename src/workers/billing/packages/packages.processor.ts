import { billShortfallOf } from '../../../shared/billing/packages/buy-package.ts'
import type { billShortfall } from '../../../shared/billing/packages/packages.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Bills what flights used of a package beyond what stays paid of it. */
export const billShortfallProcessor: JobProcessor<typeof billShortfall> = (payload, tools) =>
  tools.transaction((tx) => billShortfallOf(tx, payload))
