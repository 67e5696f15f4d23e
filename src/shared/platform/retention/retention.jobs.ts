import { z } from 'zod'
import { defineJob } from '../contracts/define-job.ts'

/** Deletes expired rows. It runs on a schedule. */
export const purgeExpired = defineJob({
  name: 'retention.purge-expired',
  queue: 'upkeep',
  payload: z.object({}),
  attempts: 1,
})
