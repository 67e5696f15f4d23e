import { z } from 'zod'
import { defineJob } from '../platform/contracts/define-job.ts'

/** Scheduled: enqueues a notification for each endorsement that expires soon. */
export const expiringEndorsementsJob = defineJob({
  name: 'training.tell-expiring-endorsements',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
