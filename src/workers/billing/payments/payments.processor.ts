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

/**
 * Updates an invoice from its state at the payment gateway. The event only identifies the invoice: status and amounts
 * are read from the gateway.
 */
export const followMoneyAtGatewayProcessor: JobProcessor<typeof followMoneyAtGateway> = async (payload, tools) => {
  const { account, payment, reference, paid } = payload
  const gatewayInvoiceId = payload.gatewayInvoiceId ?? (payment && (await invoiceOf(tools, { account, payment })))
  if (gatewayInvoiceId) await followAtGateway(tools, account, { gatewayInvoiceId, payment, reference, paid })
}

/**
 * Returns the gateway's id of the invoice that a payment paid; null when it paid none, or when the gateway refuses the
 * request, because the account is not one of ours.
 */
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

/**
 * Refunds the rest of an invoice's payments. The job is idempotent: the refund carries a key stored on the invoice's
 * row.
 */
export const refundAtGatewayProcessor: JobProcessor<typeof refundAtGateway> = async (payload, tools, run) =>
  refundOnce(tools, run, await findInvoiceToRefund(tools.database.db, payload), {
    made: (tx, refundedCents) => recordRefund(tx, payload, refundedCents),
    refused: (tx, reason) => recordGatewayError(tx, payload, reason),
  })

/**
 * Makes the refund of a credit note. The job is idempotent: the refund carries a key stored on the credit note's row.
 */
export const refundCreditAtGatewayProcessor: JobProcessor<typeof refundCreditAtGateway> = async (payload, tools, run) =>
  refundOnce(tools, run, await findCreditToRefund(tools.database.db, payload), {
    made: (tx, refundedCents) => recordCreditRefund(tx, payload, { refundedCents }),
    refused: (tx, error) => recordCreditRefund(tx, payload, { refundedCents: ZERO, error }),
  })

/**
 * Refunds the overpaid part of a payment. The job is idempotent: the refund carries a key stored on the payment's row.
 */
export const refundOverpaidAtGatewayProcessor: JobProcessor<typeof refundOverpaidAtGateway> = async (
  payload,
  tools,
  run,
) =>
  refundOnce(tools, run, await findOverpaid(tools.database.db, payload), {
    made: (tx, refundedCents) => recordOverpaidReturned(tx, payload, refundedCents),
    refused: (tx) => recordOverpaidReturned(tx, payload, ZERO),
  })

/** Writes the result of a refund, in the transaction that marks the call. */
interface RefundRecord {
  /** Called after a refund, with the refunded cents: at most the requested amount. */
  made(tx: Tx, refundedCents: Cents): Promise<void>
  /** Called when the gateway refuses the refund permanently, with its reason. */
  refused(tx: Tx, reason: string): Promise<void>
}

/**
 * Makes one refund at the payment gateway, once. Does nothing when `request` is null: there is nothing to refund, or an
 * earlier run refunded it.
 * @throws Permanent when the gateway refuses the refund, or the last attempt failed
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
 * Refunds the payments of the gateway invoices, one after the other, until the amount is reached or the gateway refuses
 * one; with `amountCents` null, everything. Returns the refunded cents. It is idempotent: a repeated call finds its
 * earlier refunds by the key.
 * @throws GatewayRefused when the gateway refuses one before anything was refunded
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
