import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Runs by schedule: tells of the documents that expire soon, and of those that have expired. */
export const expiringDocumentsJob = defineJob({
  name: 'documents.tell-expiring',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
