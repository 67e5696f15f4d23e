import type { remindOverdue } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { remindSomeOverdue } from '../../../shared/billing/invoices/remind-overdue.ts'
import { inBatches } from '../../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Enqueues reminders of overdue invoices, one batch per transaction, until none is left. */
export const remindPayersOverdue: JobProcessor<typeof remindOverdue> = async (_payload, tools) => {
  await inBatches(tools, remindSomeOverdue)
}
