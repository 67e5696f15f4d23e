import { findInvoiceToVoid, type InvoiceToVoid } from '../../../shared/billing/invoices/invoice-to-raise.queries.ts'
import type { voidAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { recordGatewayError, refundPaidMeanwhile } from '../../../shared/billing/invoices/refund-invoice.ts'
import { sumPaymentsOf } from '../../../shared/billing/payments/payment.queries.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { InvoiceAtGateway } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { type CallResult, done, never } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobPayload } from '../../../shared/platform/jobs/define-job.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Voids an invoice, or an earlier revision of its lines, at the payment gateway. An invoice that the gateway does not
 * have needs nothing: a running issue job enqueues this job again when it ends. A payment in the meantime is refunded,
 * unless it is stored.
 */
export const voidInvoiceAtGateway: JobProcessor<typeof voidAtGateway> = async (payload, tools, run) => {
  const request = await findInvoiceToVoid(tools.database.db, payload)
  if (!request) return
  await deliver(tools, run, { kind: 'payments.void', call: () => end(tools, payload, request) })
}

async function end(
  { gateway, database }: JobTools,
  payload: JobPayload<typeof voidAtGateway>,
  request: InvoiceToVoid,
): Promise<CallResult> {
  const found = await gateway.findInvoice(request)
  if (!found) return done()
  const invoice: InvoiceAtGateway = { account: request.account, processorInvoiceId: found.processorInvoiceId }
  try {
    await gateway.voidInvoice(invoice)
    return done()
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    const now = await gateway.retrieveInvoice(invoice)
    if (now.status !== 'paid') return never(error.code, (tx) => recordGatewayError(tx, payload, error.message))
    if (!request.superseded) return done((tx) => refundPaidMeanwhile(tx, payload, now))
    if ((await sumPaymentsOf(database.db, payload.organizationId, found.processorInvoiceId)) > 0) return done()
    const { refundedCents } = await gateway.refund({ ...invoice, key: `ref_${request.key}`, amountCents: null })
    if (refundedCents === 0) return done()
    const note = 'The payer paid what had been replaced; that payment was given back.'
    return done((tx) => recordGatewayError(tx, payload, note))
  }
}
