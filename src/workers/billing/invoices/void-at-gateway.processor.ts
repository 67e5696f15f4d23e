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
 * Voids an invoice, or an earlier revision of its lines, at the payment gateway. One that is paid in part there cannot be
 * voided: its rest is marked paid past the gateway, so that nobody pays it. An invoice that the gateway does not have needs
 * nothing: a running issue job enqueues this job again when it ends. A payment in the meantime counts as one of the invoice,
 * also of replaced lines, and what it brings above what is due goes back; of a void invoice all of it goes back.
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
    // What was paid there is a payment of an invoice that stands; of one that is void it goes back.
    if (request.settled || request.superseded) {
      if ((await followFound(tools, payload, invoice)) !== 'ended') return done()
      return giveBackUnknown(tools, payload, { ...invoice, key: `ref_${request.key}` })
    }
    return giveBackLate(tools, payload, invoice)
  }
}

/**
 * Has the payment of a void invoice given back. All of it makes the invoice paid until then; a part does not: the rest was
 * marked paid past the gateway, here or by an earlier run.
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

/** Gives back what was paid on an earlier revision of an invoice that is void, unless payments of it are stored. */
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
