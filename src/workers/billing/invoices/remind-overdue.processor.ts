import type { remindOverdue } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { REMINDED_AT_ONCE, remindSomeOverdue } from '../../../shared/billing/invoices/remind-overdue.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Enqueues reminders of overdue invoices, one batch per transaction, until none is left. */
export const remindPayersOverdue: JobProcessor<typeof remindOverdue> = async (_payload, tools) => {
  let reminded: number
  do reminded = await tools.transaction(remindSomeOverdue)
  while (reminded === REMINDED_AT_ONCE)
}
