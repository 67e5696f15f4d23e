import { billShortfallOf } from '../../../shared/billing/packages/buy-package.ts'
import type { billShortfall } from '../../../shared/billing/packages/packages.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Bills the part of a package that flights used beyond its paid part. What was billed before is not billed again. */
export const billShortfallProcessor: JobProcessor<typeof billShortfall> = (payload, tools) =>
  tools.transaction((tx) => billShortfallOf(tx, payload))
