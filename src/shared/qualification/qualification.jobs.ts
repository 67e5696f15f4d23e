import { z } from 'zod'
import { defineJob } from '../platform/contracts/define-job.ts'

/** Scheduled: notifies members of currencies that end soon. */
export const expiringCurrenciesJob = defineJob({
  name: 'currencies.tell-expiring',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})

/** Scheduled: sends notifications of documents that expire soon. */
export const expiringDocumentsJob = defineJob({
  name: 'documents.tell-expiring',
  queue: 'reminders',
  payload: z.object({}),
  attempts: 1,
})
