import { z } from 'zod'
import { defineJob } from '../platform/jobs/define-job.ts'

/** Runs by schedule: notifies members of currencies that expire or lapse soon. */
export const expiringCurrenciesJob = defineJob({
  name: 'currencies.tell-expiring',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Runs by schedule: sends notifications of documents that expire soon or have expired. */
export const expiringDocumentsJob = defineJob({
  name: 'documents.tell-expiring',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
