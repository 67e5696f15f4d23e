import { recheckUnreadyAccounts } from '../../../shared/billing/invoices/connect-account.ts'
import { invoiceKey } from '../../../shared/billing/invoices/gateway-keys.ts'
import { lockInvoice } from '../../../shared/billing/invoices/invoice.access.ts'
import { invoiceSignedOffFlight, invoiceWaitedFlight } from '../../../shared/billing/invoices/invoice-signed-off.ts'
import { findInvoiceToFollow } from '../../../shared/billing/invoices/invoice-to-issue.queries.ts'
import type {
  invoiceSignedOff,
  invoiceWaited,
  reconcileInvoices,
  syncInvoice,
} from '../../../shared/billing/invoices/invoices.jobs.ts'
import { reconcile } from '../../../shared/billing/invoices/reconcile.ts'
import { syncFromGateway } from '../../../shared/billing/invoices/sync-from-gateway.ts'
import { lookAtAccounts } from '../../../shared/billing/payments/receive-lost-events.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { paymentsAtGateway } from '../payments/follow-at-gateway.ts'

/**
 * Enqueues, one batch each: checks of gateway accounts that cannot receive payments yet, reads of the accounts' events,
 * and comparisons of open invoices with the payment gateway. Pending invoices that have no job get a new issue job.
 */
export const reconcileInvoicesProcessor: JobProcessor<typeof reconcileInvoices> = async (_payload, tools) => {
  await tools.transaction(recheckUnreadyAccounts)
  await tools.transaction(lookAtAccounts)
  const owed = await tools.transaction(reconcile)
  if (owed > 0) tools.log.info({ owed }, 'invoices are compared with the processor’s')
}

/** Invoices a signed-off flight, when the organization's `autoInvoice` is `signed_off`. */
export const invoiceSignedOffProcessor: JobProcessor<typeof invoiceSignedOff> = (payload, tools) =>
  tools.transaction((tx) => invoiceSignedOffFlight(tx, payload))

/** Invoices a flight 24 hours after its payers were notified of the charge, or when one of them agreed. */
export const invoiceWaitedProcessor: JobProcessor<typeof invoiceWaited> = (payload, tools) =>
  tools.transaction((tx) => invoiceWaitedFlight(tx, payload))

/**
 * Reads one open invoice at the payment gateway and applies changes whose webhook events were missed. Does nothing when
 * the invoice is not open, or when the gateway's invoice is of an earlier revision or in another currency.
 */
export const syncInvoiceProcessor: JobProcessor<typeof syncInvoice> = async (payload, tools) => {
  const request = await findInvoiceToFollow(tools.database.db, payload)
  if (!request) return
  const now = await tools.gateway.retrieveInvoice(request)
  const payments = await paymentsAtGateway(tools, { ...request, status: now.status })
  await tools.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, payload.organizationId, payload.invoiceId)
    if (!invoice || now.key !== invoiceKey(invoice)) return
    if (now.currency === invoice.currency) await syncFromGateway(tx, invoice, now, payments)
    else tools.log.warn({ ...payload, result: 'other_currency' }, 'an invoice is not compared')
  })
}
