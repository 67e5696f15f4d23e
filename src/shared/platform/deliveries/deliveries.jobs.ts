import { defineScheduledJob } from '../contracts/define-job.ts'

/** Runs by schedule: closes deliveries that are open though their job has ended. */
export const closeAbandonedDeliveries = defineScheduledJob({
  name: 'deliveries.close-abandoned-deliveries',
  queue: 'upkeep',
  schedule: '4-59/5 * * * *',
})
