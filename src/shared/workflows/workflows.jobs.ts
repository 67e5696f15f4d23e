import { z } from 'zod'
import { defineJob, defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Erases the personal records (`papers`) of a merged member that were not accepted within seven days. */
export const eraseLeftDocuments = defineJob({
  name: 'members.erase-left-documents',
  queue: 'upkeep',
  payload: z.object({ organizationId: z.int(), orgUserId: z.int() }),
})

/** Cancels the bookings that nobody has ramped out in time, and tells the desk before. */
export const releaseNoShows = defineScheduledJob({
  name: 'dispatch.release-no-shows',
  queue: 'reminders',
  schedule: '* * * * *',
})
