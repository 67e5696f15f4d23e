import { findCreditToRefund } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import type { refundCreditAtGateway } from '../../../shared/billing/credit-notes/credit-notes.jobs.ts'
import { recordCreditRefund } from '../../../shared/billing/credit-notes/give-back.ts'
import { findInvoiceToRefund } from '../../../shared/billing/invoices/invoice-to-issue.queries.ts'
import type { refundAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { recordGatewayError, recordRefund } from '../../../shared/billing/invoices/refund-invoice.ts'
import { findOverpaid, type RefundToMake } from '../../../shared/billing/payments/payment.queries.ts'
import type { followMoneyAtGateway, refundOverpaidAtGateway } from '../../../shared/billing/payments/payments.jobs.ts'
import { recordOverpaidReturned } from '../../../shared/billing/payments/refund-overpaid.ts'
import { done, never } from '../../../shared/platform/adapters/call-result.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { GatewayAccount, PaymentGateway } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../../shared/platform/db/transaction.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, JobRun, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { type Cents, minus, plus, ZERO } from '../../../shared/platform/kernel/units.ts'
import { followAtGateway } from './follow-at-gateway.ts'

/** Follows an invoice at the payment gateway. The event only names it: status and amounts are read from the gateway. */
export const followMoneyAtGatewayProcessor: JobProcessor<typeof followMoneyAtGateway> = async (payload, tools) => {
  const { account, payment, reference, paid } = payload
  const gatewayInvoiceId = payload.gatewayInvoiceId ?? (payment && (await invoiceOf(tools, { account, payment })))
  if (gatewayInvoiceId) await followAtGateway(tools, account, { gatewayInvoiceId, payment, reference, paid })
}

/** Returns the gateway invoice of a payment; null when it paid none, or the account is not one that we may ask. */
async function invoiceOf(
  { gateway, log }: JobTools,
  { account, payment }: { account: GatewayAccount; payment: string },
): Promise<string | null> {
  try {
    return await gateway.findInvoiceOfPayment(account, payment)
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    log.warn({ payment, code: error.code }, 'money of an account that is not ours is not followed')
    return null
  }
}

/** Refunds what is left of an invoice. The job is idempotent: the refund carries a key stored on its row. */
export const refundAtGatewayProcessor: JobProcessor<typeof refundAtGateway> = async (payload, tools, run) =>
  refundOnce(tools, run, await findInvoiceToRefund(tools.database.db, payload), {
    made: (tx, refundedCents) => recordRefund(tx, payload, refundedCents),
    refused: (tx, reason) => recordGatewayError(tx, payload, reason),
  })

/** Gives back what a credit note refunds. The job is idempotent: the refund carries a key stored on its row. */
export const refundCreditAtGatewayProcessor: JobProcessor<typeof refundCreditAtGateway> = async (payload, tools, run) =>
  refundOnce(tools, run, await findCreditToRefund(tools.database.db, payload), {
    made: (tx, refundedCents) => recordCreditRefund(tx, payload, { refundedCents }),
    refused: (tx, error) => recordCreditRefund(tx, payload, { refundedCents: ZERO, error }),
  })

/** Gives back what a payment overpaid. The job is idempotent: the refund carries a key stored on the payment. */
export const refundOverpaidAtGatewayProcessor: JobProcessor<typeof refundOverpaidAtGateway> = async (
  payload,
  tools,
  run,
) =>
  refundOnce(tools, run, await findOverpaid(tools.database.db, payload), {
    made: (tx, refundedCents) => recordOverpaidReturned(tx, payload, refundedCents),
    refused: (tx) => recordOverpaidReturned(tx, payload, ZERO),
  })

/** Writes what came of a refund, in the transaction that marks the call. */
interface RefundRecord {
  /** The gateway gave back so many cents, at most what was asked for. */
  made(tx: Tx, refundedCents: Cents): Promise<void>
  /** The gateway refuses it for good, with this reason. */
  refused(tx: Tx, reason: string): Promise<void>
}

/**
 * Makes one refund at the payment gateway, once. Without a request nothing is done: an earlier run made it.
 * @throws Permanent when the gateway refuses it
 * @throws Error when a later run may succeed
 */
async function refundOnce(
  tools: JobTools,
  run: JobRun,
  request: RefundToMake | null,
  { made, refused }: RefundRecord,
): Promise<void> {
  if (!request) return
  await deliver(tools, run, {
    kind: 'payments.refund',
    async call() {
      try {
        const refundedCents = await refundEach(tools.gateway, request)
        return done((tx) => made(tx, refundedCents))
      } catch (error) {
        if (!(error instanceof GatewayRefused)) throw error
        return never(error.code, (tx) => refused(tx, error.message))
      }
    },
  })
}

/**
 * Refunds one gateway invoice after the other until the amount is reached or one is refused, and returns the cents
 * refunded. Repeated, it finds what it refunded before by the key.
 * @throws GatewayRefused when nothing was refunded before
 */
export async function refundEach(
  gateway: PaymentGateway,
  { gatewayInvoiceIds, amountCents, ...refund }: RefundToMake,
): Promise<Cents> {
  let refunded: Cents = ZERO
  for (const gatewayInvoiceId of gatewayInvoiceIds) {
    const wanted = amountCents === null ? null : minus(amountCents, refunded)
    if (wanted !== null && wanted <= 0) break
    try {
      const { refundedCents } = await gateway.refund({ ...refund, gatewayInvoiceId, amountCents: wanted })
      refunded = plus(refunded, refundedCents)
    } catch (error) {
      if (refunded === 0 || !(error instanceof GatewayRefused)) throw error
      break
    }
  }
  return refunded
}
