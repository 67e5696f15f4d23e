import { findInvoiceToSettle, type InvoiceToSettle } from '../../../shared/billing/invoices/invoice-to-raise.queries.ts'
import type { settleAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { recordGatewayError } from '../../../shared/billing/invoices/refund-invoice.ts'
import { sumPaymentsOf } from '../../../shared/billing/payments/payment.queries.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { InvoiceAtGateway } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { type CallResult, done, never } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobPayload } from '../../../shared/platform/jobs/define-job.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { minus } from '../../../shared/platform/kernel/units.ts'

const GIVEN_BACK = 'The payer paid at the payment processor too; that payment was given back.'
const ONCE_OR_TWICE =
  'It is paid at the payment processor too. Should that be another payment than the one noted here, give one back.'

/**
 * Marks an invoice paid at the payment gateway, so that nobody pays it there again. An invoice that the gateway does
 * not have needs nothing: a running issue job enqueues this job again when it ends. A void one is already closed; a
 * draft is voided. When the payer has also paid there, a payment in addition to cash or a check is refunded. In
 * addition to any other method it may be the recorded payment itself, so the invoice stores a note and desk staff
 * decide.
 */
export const settleInvoiceAtGateway: JobProcessor<typeof settleAtGateway> = async (payload, tools, run) => {
  const request = await findInvoiceToSettle(tools.database.db, payload)
  if (!request) return
  await deliver(tools, run, { kind: 'payments.settle', call: () => settle(tools, payload, request) })
}

async function settle(
  { gateway, database }: JobTools,
  payload: JobPayload<typeof settleAtGateway>,
  request: InvoiceToSettle,
): Promise<CallResult> {
  const found = await gateway.findInvoice(request)
  if (!found || found.status === 'void') return done()
  const invoice: InvoiceAtGateway = { account: request.account, processorInvoiceId: found.processorInvoiceId }
  const noting = (text: string) => done((tx) => recordGatewayError(tx, payload, text))
  try {
    if (found.status === 'draft') {
      await gateway.voidInvoice(invoice)
      return done()
    }
    await gateway.markPaidOutOfBand(invoice)
    // A part that the payer paid there before is stored, and stays.
    const stored = await sumPaymentsOf(database.db, payload.organizationId, found.processorInvoiceId)
    const amountCents = minus(await gateway.receivedCents(invoice), stored)
    if (amountCents <= 0) return done()
    if (!request.inHand) return noting(ONCE_OR_TWICE)
    const { refundedCents } = await gateway.refund({ ...invoice, key: `ref_${request.key}`, amountCents })
    return refundedCents > 0 ? noting(GIVEN_BACK) : done()
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    return never(error.code, (tx) => recordGatewayError(tx, payload, error.message))
  }
}
