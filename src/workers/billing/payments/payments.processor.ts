import { followMoney } from '../../../shared/billing/payments/follow-money.ts'
import { findInvoiceAtProcessor, findOverpaid } from '../../../shared/billing/payments/payment.queries.ts'
import type { followMoneyAtGateway, refundOverpaidAtGateway } from '../../../shared/billing/payments/payments.jobs.ts'
import { recordOverpaidReturned } from '../../../shared/billing/payments/refund-overpaid.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import { done, never } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { ZERO } from '../../../shared/platform/kernel/units.ts'

/**
 * Follows the money of an invoice at the payment gateway. The event only names it: amounts are read from the gateway,
 * and an invoice of another account or another customer is left alone.
 */
export const followMoneyOfInvoice: JobProcessor<typeof followMoneyAtGateway> = async (payload, tools) => {
  const { account, payment } = payload
  const processorInvoiceId =
    payload.processorInvoiceId ?? (payment && (await tools.gateway.findInvoiceOfPayment(account, payment)))
  const found = processorInvoiceId && (await findInvoiceAtProcessor(tools.database.db, account, processorInvoiceId))
  if (!found) return
  const money = await tools.gateway.readMoney({ account, processorInvoiceId })
  if (found.customerId !== null && found.customerId !== money.invoice.processorCustomerId) {
    tools.log.warn({ processorInvoiceId }, 'money of another customer is not followed')
    return
  }
  await tools.transaction((tx) => followMoney(tx, found, money))
}

/** Gives back what a payment overpaid. The job is idempotent: the refund carries a key stored on the payment. */
export const refundOverpaid: JobProcessor<typeof refundOverpaidAtGateway> = async (payload, tools, run) => {
  const request = await findOverpaid(tools.database.db, payload)
  if (!request) return
  await deliver(tools, run, {
    kind: 'payments.refund',
    async call() {
      try {
        const { refundedCents } = await tools.gateway.refund(request)
        return done((tx) => recordOverpaidReturned(tx, payload, refundedCents))
      } catch (error) {
        if (!(error instanceof GatewayRefused)) throw error
        return never(error.code, (tx) => recordOverpaidReturned(tx, payload, ZERO))
      }
    },
  })
}
