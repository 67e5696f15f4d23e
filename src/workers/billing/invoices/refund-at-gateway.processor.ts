import { findInvoiceToRefund } from '../../../shared/billing/invoices/invoice-to-raise.queries.ts'
import type { refundAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { recordGatewayError, recordRefund } from '../../../shared/billing/invoices/refund-invoice.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import { done, never } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Refunds an invoice. The job is idempotent: the refund carries a key stored on its row. */
export const refundInvoiceAtGateway: JobProcessor<typeof refundAtGateway> = async (payload, tools, run) => {
  const request = await findInvoiceToRefund(tools.database.db, payload)
  if (!request) return
  await deliver(tools, run, {
    kind: 'payments.refund',
    async call() {
      try {
        const { refundedCents } = await tools.gateway.refund(request)
        return done((tx) => recordRefund(tx, payload, refundedCents))
      } catch (error) {
        if (!(error instanceof GatewayRefused)) throw error
        return never(error.code, (tx) => recordGatewayError(tx, payload, error.message))
      }
    },
  })
}
