import { recheckUnreadyAccounts } from '../../../shared/billing/invoices/connect-account.ts'
import type { reconcileInvoices } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { reconcile } from '../../../shared/billing/invoices/reconcile.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Enqueues one batch of invoice comparisons with the payment gateway, and checks of accounts that are not ready. */
export const reconcileSomeInvoices: JobProcessor<typeof reconcileInvoices> = async (_payload, tools) => {
  await tools.transaction(recheckUnreadyAccounts)
  const owed = await tools.transaction(reconcile)
  if (owed > 0) tools.log.info({ owed }, 'invoices are compared with the processor’s')
}
