import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Runs by schedule: deletes what was kept long enough. */
export const purgeExpired = defineJob({
  name: 'retention.purge-expired',
  queue: 'upkeep',
  payload: z.object({}),
  attempts: 1,
})
