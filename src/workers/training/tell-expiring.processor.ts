import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { findExpiringEndorsements, tellExpiring } from '../../shared/training/endorsements/tell-expiring.ts'
import type { tellExpiringEndorsements } from '../../shared/training/training.jobs.ts'

/** Tells of every endorsement that expires soon and that nobody was told of, each in its own transaction. */
export const tellOfExpiringEndorsements: JobProcessor<typeof tellExpiringEndorsements> = async (_payload, tools) => {
  for (const endorsement of await findExpiringEndorsements(tools.database.db, tools.clock())) {
    await tools.transaction((tx) => tellExpiring(tx, endorsement))
  }
}
