import { lookAtUnreadyAccounts } from '../../shared/invoices/connect-account.ts'
import type { reconcileInvoices } from '../../shared/invoices/invoices.jobs.ts'
import { reconcile } from '../../shared/invoices/reconcile.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'

/** Has the invoices that were not looked at for long compared with the processor's, some at a time. */
export const reconcileSomeInvoices: JobProcessor<typeof reconcileInvoices> = async (_payload, tools) => {
  await tools.transaction(lookAtUnreadyAccounts)
  const owed = await tools.transaction(reconcile)
  if (owed > 0) tools.log.info({ owed }, 'invoices are compared with the processor’s')
}
