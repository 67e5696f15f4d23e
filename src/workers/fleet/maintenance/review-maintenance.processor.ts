import type { reviewMaintenance } from '../../../shared/fleet/maintenance/maintenance.jobs.ts'
import { findResourcesToReview } from '../../../shared/fleet/maintenance/reminder.queries.ts'
import { reviewDue } from '../../../shared/fleet/maintenance/review-due.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Reviews every resource with a maintenance item whose status has changed since its last notification, each in its own
 * transaction.
 */
export const reviewMaintenanceDue: JobProcessor<typeof reviewMaintenance> = async (_payload, tools) => {
  for (const resource of await findResourcesToReview(tools.database.db, tools.clock())) {
    await tools.transaction((tx) => reviewDue(tx, resource))
  }
}
