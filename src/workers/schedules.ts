import { remindUnsigned } from '../shared/close-out/close-out.jobs.ts'
import { tellExpiringCurrencies } from '../shared/currencies/currencies.jobs.ts'
import { tellExpiringDocuments } from '../shared/documents/documents.jobs.ts'
import { reconcileInvoices, remindOverdue } from '../shared/invoices/invoices.jobs.ts'
import type { Job, QueueName } from '../shared/jobs/define-job.ts'
import type { QueueBackend } from '../shared/jobs/queue-backend.ts'
import { reviewMaintenance } from '../shared/maintenance/maintenance.jobs.ts'
import { remindUpcoming } from '../shared/reservations/reservations.jobs.ts'
import { purgeExpired } from '../shared/retention/retention.jobs.ts'
import { tellExpiringEndorsements } from '../shared/training/training.jobs.ts'

/**
 * What runs by itself, and when: cron patterns in UTC, which know no daylight saving. A run finds what is due by the
 * instants in the database and writes down what it did, so that one too many does nothing, and one too few is made up
 * for by the next.
 */
export const schedules: readonly { job: Job; pattern: string }[] = [
  { job: remindOverdue, pattern: '*/10 * * * *' },
  { job: reconcileInvoices, pattern: '5-59/10 * * * *' },
  { job: reviewMaintenance, pattern: '*/5 * * * *' },
  { job: remindUpcoming, pattern: '2-59/5 * * * *' },
  { job: remindUnsigned, pattern: '7 * * * *' },
  { job: tellExpiringEndorsements, pattern: '17 * * * *' },
  { job: tellExpiringCurrencies, pattern: '27 * * * *' },
  { job: tellExpiringDocuments, pattern: '47 * * * *' },
  { job: purgeExpired, pattern: '37 * * * *' },
]

/**
 * Enters the schedules of these queues. Each is known by its job's name, so it exists once however many workers enter
 * it, and a store that was lost has it again.
 */
export async function enterSchedules(queues: QueueBackend, names: readonly QueueName[]): Promise<void> {
  for (const { job, pattern } of schedules) {
    if (!names.includes(job.queue)) continue
    await queues.queue(job.queue).upsertJobScheduler(
      job.name,
      { pattern, tz: 'UTC' },
      {
        name: job.name,
        data: {},
        opts: { attempts: job.attempts, removeOnComplete: { count: 20 }, removeOnFail: { count: 100 } },
      },
    )
  }
}
