import { defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Notifies members of currencies that end soon. */
export const expiringCurrenciesJob = defineScheduledJob({
  name: 'currencies.notify-expiring',
  queue: 'reminders',
  schedule: '27 * * * *',
})

/** Sends notifications of documents that expire soon. */
export const expiringDocumentsJob = defineScheduledJob({
  name: 'documents.notify-expiring',
  queue: 'reminders',
  schedule: '47 * * * *',
})
