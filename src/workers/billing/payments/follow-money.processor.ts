import { followMoney } from '../../../shared/billing/payments/follow-money.ts'
import { findInvoiceAtProcessor } from '../../../shared/billing/payments/payment.queries.ts'
import type { followMoneyAtGateway } from '../../../shared/billing/payments/payments.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Follows the money of an invoice at the payment gateway. The event only names it: amounts are read from the gateway.
 * Money of another account is of no invoice here; that of another customer, in another currency, or of an invoice that the
 * service did not raise is left alone and logged.
 */
export const followMoneyOfInvoice: JobProcessor<typeof followMoneyAtGateway> = async (payload, tools) => {
  const { account, payment } = payload
  const processorInvoiceId =
    payload.processorInvoiceId ?? (payment && (await tools.gateway.findInvoiceOfPayment(account, payment)))
  const found = processorInvoiceId && (await findInvoiceAtProcessor(tools.database.db, account, processorInvoiceId))
  if (!found) return
  const money = await tools.gateway.readMoney({ account, processorInvoiceId })
  const otherCustomer = found.customerId !== null && found.customerId !== money.invoice.processorCustomerId
  const followed = otherCustomer ? 'other_customer' : await tools.transaction((tx) => followMoney(tx, found, money))
  if (followed === 'followed' || followed === 'ended') return
  const { organizationId, invoiceId } = found
  tools.log.warn({ organizationId, invoiceId, processorInvoiceId, result: followed }, 'money is not followed')
}
