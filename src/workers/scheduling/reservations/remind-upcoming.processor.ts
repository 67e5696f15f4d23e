import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { remindOfBookings } from '../../../shared/scheduling/reservations/remind-upcoming.ts'
import type { remindUpcoming } from '../../../shared/scheduling/reservations/reservations.jobs.ts'

/** Reminds of what is coming up, a batch in a transaction, until nothing is left. */
export const remindOfUpcoming: JobProcessor<typeof remindUpcoming> = async (_payload, tools) => {
  let more = true
  while (more) more = await tools.transaction(remindOfBookings)
}
