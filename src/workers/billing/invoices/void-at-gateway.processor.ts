import { findInvoiceToVoid, type InvoiceToVoid } from '../../../shared/billing/invoices/invoice-to-issue.queries.ts'
import type { voidAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import {
  recordGatewayError,
  recordReturned,
  refundPaidMeanwhile,
  refundPartMeanwhile,
} from '../../../shared/billing/invoices/refund-invoice.ts'
import { isClosedInPart } from '../../../shared/billing/payments/gateway-money.rules.ts'
import { sumPaymentsOf } from '../../../shared/billing/payments/payment.queries.ts'
import { type CallResult, done, never } from '../../../shared/platform/adapters/call-result.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { InvoiceAtGateway } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { followFound } from '../payments/follow-at-gateway.ts'

/**
 * Voids an invoice, or an earlier revision of its lines, at the payment gateway.
 * When the gateway has no such invoice, nothing is done: a running issue job enqueues this job again when it ends. A
 * gateway invoice that is paid in part cannot be voided: the rest is marked as paid outside the gateway, so that nobody
 * pays it.
 * A payment that arrived before the void is a payment of the invoice, also when it was made on replaced lines; the part
 * above the amount due is refunded. When the invoice is void here, the whole payment is refunded.
 */
export const voidAtGatewayProcessor: JobProcessor<typeof voidAtGateway> = async (payload, tools, run) => {
  const request = await findInvoiceToVoid(tools.database.db, payload)
  if (!request) return
  await deliver(tools, run, { kind: 'payments.void', call: () => end(tools, payload, request) })
}

async function end(
  tools: JobTools,
  payload: JobPayload<typeof voidAtGateway>,
  request: InvoiceToVoid,
): Promise<CallResult> {
  const { gateway } = tools
  const found = await gateway.findInvoice(request)
  if (!found) return done()
  const invoice: InvoiceAtGateway = { account: request.account, gatewayInvoiceId: found.gatewayInvoiceId }
  try {
    await gateway.voidInvoice(invoice)
    return done()
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    const now = await gateway.retrieveInvoice(invoice)
    const inPart = now.status === 'open' && now.amountPaidCents > 0
    if (inPart) await gateway.markPaidOutOfBand(invoice)
    else if (now.status !== 'paid') return never(error.code, (tx) => recordGatewayError(tx, payload, error.message))
    // Money paid at the gateway is a payment of the invoice; when the invoice is void here, the money is refunded.
    if (request.settled || request.superseded) {
      if ((await followFound(tools, payload, invoice)) !== 'ended') return done()
      return giveBackUnknown(tools, payload, { ...invoice, key: `ref_${request.key}` })
    }
    return giveBackLate(tools, payload, invoice)
  }
}

/**
 * Enqueues the refund of a payment of an invoice that is void here. An invoice that was paid in full is marked as paid
 * until it is refunded. An invoice that was paid in part stays void: this job or an earlier run marked the rest as paid
 * outside the gateway.
 */
async function giveBackLate(
  { gateway }: JobTools,
  id: JobPayload<typeof voidAtGateway>,
  invoice: InvoiceAtGateway,
): Promise<CallResult> {
  const money = await gateway.readMoney(invoice)
  return done((tx) =>
    isClosedInPart(money) ? refundPartMeanwhile(tx, id, invoice) : refundPaidMeanwhile(tx, id, money),
  )
}

/**
 * Refunds everything that was paid on a gateway invoice whose invoice here is void, failed or deleted. Does nothing
 * when payments of this gateway invoice are stored here.
 */
async function giveBackUnknown(
  { gateway, database }: JobTools,
  payload: JobPayload<typeof voidAtGateway>,
  invoice: InvoiceAtGateway & { key: string },
): Promise<CallResult> {
  if ((await sumPaymentsOf(database.db, payload.organizationId, invoice.gatewayInvoiceId)) > 0) return done()
  const { refundedCents } = await gateway.refund({ ...invoice, amountCents: null })
  if (refundedCents === 0) return done()
  return done((tx) => recordReturned(tx, payload, refundedCents))
}
