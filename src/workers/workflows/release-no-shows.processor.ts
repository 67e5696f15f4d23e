import { findNoShowsDue } from '../../shared/dispatch/no-show.queries.ts'
import { remindOfNoShows } from '../../shared/dispatch/remind-no-show.ts'
import { noteReady } from '../../shared/dispatch/uptime.access.ts'
import { inBatches } from '../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../shared/platform/jobs/job-tools.ts'
import { releaseNoShow } from '../../shared/workflows/release-no-shows.ts'
import type { releaseNoShows } from '../../shared/workflows/workflows.jobs.ts'

/**
 * Notes that the service is ready, tells the desk of bookings that nobody has ramped out, and cancels those that are no-shows. One that
 * cannot be cancelled leaves the others theirs, which are due for half an hour only.
 */
export const releaseNoShowsProcessor: JobProcessor<typeof releaseNoShows> = async (_payload, tools) => {
  await tools.transaction(noteReady)
  await inBatches(tools, remindOfNoShows)
  const failed: unknown[] = []
  for (const due of await findNoShowsDue(tools.database.db, tools.clock())) {
    await tools.transaction((tx) => releaseNoShow(tx, due)).catch((error: unknown) => failed.push(error))
  }
  if (failed.length > 0) throw failed[0]
}
