import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import type { reviewMaintenance } from '../../shared/maintenance/maintenance.jobs.ts'
import { findResourcesToReview } from '../../shared/maintenance/reminder.queries.ts'
import { reviewDue } from '../../shared/maintenance/review-due.ts'

/** Reviews every resource with a reminder that stands otherwise than people were told, each in its own transaction. */
export const reviewMaintenanceDue: JobProcessor<typeof reviewMaintenance> = async (_payload, tools) => {
  for (const resource of await findResourcesToReview(tools.database.db, tools.clock())) {
    await tools.transaction((tx) => reviewDue(tx, resource))
  }
}
