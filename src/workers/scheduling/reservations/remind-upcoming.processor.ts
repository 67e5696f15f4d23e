import { inBatches } from '../../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { remindOfBookings } from '../../../shared/scheduling/reservations/remind-upcoming.ts'
import type { remindUpcoming } from '../../../shared/scheduling/reservations/reservations.jobs.ts'

/** Enqueues reminders of upcoming bookings, one batch per transaction, until none is left. */
export const remindOfUpcoming: JobProcessor<typeof remindUpcoming> = async (_payload, tools) => {
  await inBatches(tools, remindOfBookings)
}
