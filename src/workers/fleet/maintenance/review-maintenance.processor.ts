import type * as jobs from '../../../shared/fleet/maintenance/maintenance.jobs.ts'
import { findResourcesToReview } from '../../../shared/fleet/maintenance/maintenance-item.queries.ts'
import { reviewDue } from '../../../shared/fleet/maintenance/review-due.ts'
import { findEndedDeferrals } from '../../../shared/fleet/maintenance/squawk.queries.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Reviews each resource, in its own transaction, that has a squawk whose deferral has ended, or a maintenance item
 * whose status has changed since its last review.
 */
export const reviewMaintenanceProcessor: JobProcessor<typeof jobs.reviewMaintenance> = async (_payload, tools) => {
  const { db } = tools.database
  const now = tools.clock()
  for (const resource of [...(await findEndedDeferrals(db, now)), ...(await findResourcesToReview(db, now))]) {
    await tools.transaction((tx) => reviewDue(tx, resource))
  }
}
