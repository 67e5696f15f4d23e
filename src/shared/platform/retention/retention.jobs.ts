import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Runs on a schedule and deletes expired rows. */
export const purgeExpired = defineJob({
  name: 'retention.purge-expired',
  queue: 'upkeep',
  payload: z.object({}),
  attempts: 1,
})
