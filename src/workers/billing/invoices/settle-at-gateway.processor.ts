import { findInvoiceToSettle } from '../../../shared/billing/invoices/invoice-to-issue.queries.ts'
import type { settleAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { recordGatewayError } from '../../../shared/billing/invoices/refund-invoice.ts'
import { sumPaymentsOf } from '../../../shared/billing/payments/payment.queries.ts'
import { type CallResult, done, never } from '../../../shared/platform/adapters/call-result.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { FindInvoice, InvoiceAtGateway } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { minus } from '../../../shared/platform/kernel/units.ts'
import { followFound } from '../payments/follow-at-gateway.ts'

/**
 * Marks an invoice that was paid outside the payment gateway as paid there, so that nobody pays it again.
 * When the gateway has no such invoice, nothing is done: a running issue job enqueues this job again when it ends. A
 * void gateway invoice stays as it is; a draft is voided.
 * When the payer has also paid at the gateway, that is a payment of the invoice. In addition to cash or a check, it is
 * overpaid and refunded. In addition to any other method, it may be the same money as the recorded payment: the invoice
 * stores a note, and desk staff decide.
 */
export const settleAtGatewayProcessor: JobProcessor<typeof settleAtGateway> = async (payload, tools, run) => {
  const request = await findInvoiceToSettle(tools.database.db, payload)
  if (!request) return
  await deliver(tools, run, { kind: 'payments.settle', call: () => settle(tools, payload, request) })
}

async function settle(
  tools: JobTools,
  payload: JobPayload<typeof settleAtGateway>,
  request: FindInvoice,
): Promise<CallResult> {
  const { gateway, database } = tools
  const found = await gateway.findInvoice(request)
  if (!found || found.status === 'void') return done()
  const invoice: InvoiceAtGateway = { account: request.account, gatewayInvoiceId: found.gatewayInvoiceId }
  try {
    if (found.status === 'draft') {
      await gateway.voidInvoice(invoice)
      return done()
    }
    await gateway.markPaidOutOfBand(invoice)
    // Payments at the gateway that are stored here already, for example a part that was paid earlier, stay as they are.
    const stored = await sumPaymentsOf(database.db, payload.organizationId, found.gatewayInvoiceId)
    if (minus(await gateway.receivedCents(invoice), stored) > 0) await followFound(tools, payload, invoice)
    return done()
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    return never(error.code, (tx) => recordGatewayError(tx, payload, error.message))
  }
}
