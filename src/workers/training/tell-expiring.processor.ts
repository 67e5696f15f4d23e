import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { findExpiringEndorsements, notifyExpiring } from '../../shared/training/endorsements/tell-expiring.ts'
import type { expiringEndorsementsJob } from '../../shared/training/training.jobs.ts'

/** Notifies about every endorsement that expires soon and has no notification yet, each in its own transaction. */
export const notifyExpiringEndorsements: JobProcessor<typeof expiringEndorsementsJob> = async (_payload, tools) => {
  for (const endorsement of await findExpiringEndorsements(tools.database.db, tools.clock())) {
    await tools.transaction((tx) => notifyExpiring(tx, endorsement))
  }
}
