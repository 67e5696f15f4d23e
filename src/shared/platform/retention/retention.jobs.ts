import { defineScheduledJob } from '../contracts/define-job.ts'

/** Deletes expired rows. */
export const purgeExpired = defineScheduledJob({
  name: 'retention.purge-expired',
  queue: 'upkeep',
  schedule: '37 * * * *',
})
