import { z } from 'zod'
import { defineJob } from '../platform/jobs/define-job.ts'

/** Runs by schedule: tells of the endorsements that expire soon. */
export const expiringEndorsementsJob = defineJob({
  name: 'training.tell-expiring-endorsements',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
