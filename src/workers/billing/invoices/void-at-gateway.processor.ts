import { findInvoiceToVoid, type InvoiceToVoid } from '../../../shared/billing/invoices/invoice-to-raise.queries.ts'
import type { voidAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import {
  recordGatewayError,
  refundPaidMeanwhile,
  refundPartMeanwhile,
} from '../../../shared/billing/invoices/refund-invoice.ts'
import { sumPaymentsOf } from '../../../shared/billing/payments/payment.queries.ts'
import { readMoneyOf } from '../../../shared/billing/payments/refund-overpaid.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type {
  GatewayInvoice,
  InvoiceAtGateway,
} from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { type CallResult, done, never } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobPayload } from '../../../shared/platform/jobs/define-job.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Voids an invoice, or an earlier revision of its lines, at the payment gateway. One that is paid in part there cannot be
 * voided: its rest is marked paid past the gateway, so that nobody pays it. An invoice that the gateway does not have needs
 * nothing: a running issue job enqueues this job again when it ends. A payment in the meantime is refunded, unless it is
 * stored.
 */
export const voidInvoiceAtGateway: JobProcessor<typeof voidAtGateway> = async (payload, tools, run) => {
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
  const invoice: InvoiceAtGateway = { account: request.account, processorInvoiceId: found.processorInvoiceId }
  try {
    await gateway.voidInvoice(invoice)
    return done()
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    const now = await gateway.retrieveInvoice(invoice)
    const inPart = now.status === 'open' && now.amountPaidCents > 0
    if (inPart) await gateway.markPaidOutOfBand(invoice)
    else if (now.status !== 'paid') return never(error.code, (tx) => recordGatewayError(tx, payload, error.message))
    // What was paid there is stored, or its event is on the way.
    if (request.settled) return done(async (tx) => readMoneyOf(tx, invoice))
    if (!request.superseded) return giveBackLate(tools, payload, now, invoice)
    return giveBackUnknown(tools, payload, { ...invoice, key: `ref_${request.key}` })
  }
}

/**
 * Has the payment of a void invoice given back. All of it makes the invoice paid until then; a part does not: the rest was
 * marked paid past the gateway, here or by an earlier run.
 */
async function giveBackLate(
  { gateway }: JobTools,
  id: JobPayload<typeof voidAtGateway>,
  now: GatewayInvoice,
  invoice: InvoiceAtGateway,
): Promise<CallResult> {
  const receivedCents = await gateway.receivedCents(invoice)
  const inPart = receivedCents > 0 && receivedCents < now.totalCents
  return done((tx) => (inPart ? refundPartMeanwhile(tx, id, invoice) : refundPaidMeanwhile(tx, id, now)))
}

/** Gives back what was paid on an earlier revision, unless payments of it are stored: what comes after them is followed. */
async function giveBackUnknown(
  { gateway, database }: JobTools,
  payload: JobPayload<typeof voidAtGateway>,
  invoice: InvoiceAtGateway & { key: string },
): Promise<CallResult> {
  if ((await sumPaymentsOf(database.db, payload.organizationId, invoice.processorInvoiceId)) > 0) return done()
  const { refundedCents } = await gateway.refund({ ...invoice, amountCents: null })
  if (refundedCents === 0) return done()
  const note = 'The payer paid what had been replaced; that payment was given back.'
  return done((tx) => recordGatewayError(tx, payload, note))
}
