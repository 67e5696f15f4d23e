import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Runs on a schedule: closes deliveries that are open though their job has ended. */
export const closeAbandonedDeliveries = defineJob({
  name: 'deliveries.close-abandoned',
  queue: 'upkeep',
  payload: z.object({}),
  attempts: 1,
})
