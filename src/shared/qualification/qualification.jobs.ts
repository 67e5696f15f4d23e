import { defineScheduledJob } from '../platform/contracts/define-job.ts'

/** Notifies members of currencies that end soon. */
export const remindExpiringCurrencies = defineScheduledJob({
  name: 'currencies.remind-expiring-currencies',
  queue: 'reminders',
  schedule: '27 * * * *',
})

/** Sends notifications of documents that expire soon. */
export const remindExpiringDocuments = defineScheduledJob({
  name: 'documents.remind-expiring-documents',
  queue: 'reminders',
  schedule: '47 * * * *',
})
