import { defineScheduledJob } from '../contracts/define-job.ts'

/** Runs by schedule: gives up deliveries that are still open although their job has ended. */
export const closeAbandonedDeliveries = defineScheduledJob({
  name: 'deliveries.close-abandoned-deliveries',
  queue: 'upkeep',
  schedule: '4-59/5 * * * *',
})
