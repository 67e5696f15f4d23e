import { type FollowedMoney, followMoney } from '../../../shared/billing/payments/follow-money.ts'
import { refundedOutside } from '../../../shared/billing/payments/gateway-money.rules.ts'
import { type AskedAtGateway, findInvoiceAtGateway } from '../../../shared/billing/payments/payment.queries.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type {
  GatewayAccount,
  GatewayInvoiceStatus,
  GatewayMoney,
  InvoiceAtGateway,
} from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import type { JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { type Cents, plus, ZERO } from '../../../shared/platform/kernel/units.ts'

/** The most times that the gateway is read when other jobs change the invoice in the meantime. */
const MOST_READS = 5

/**
 * Updates an invoice from its state at the payment gateway, and returns the result of `followMoney`. When the gateway's
 * invoice does not match ours, nothing is changed, and the result is logged. When our invoice changes while the gateway
 * is read, it is read again, at most `MOST_READS` times. Returns null when we have no invoice of this account for the
 * gateway's invoice, when the gateway has no such invoice, or when `paid` is set and the payment is already stored.
 * @throws Error when the gateway cannot be read, or the invoice changed during each read: the job is tried again
 */
export async function followAtGateway(
  tools: JobTools,
  account: GatewayAccount,
  { paid, ...asked }: AskedAtGateway & { paid: boolean },
): Promise<FollowedMoney | null> {
  const { gatewayInvoiceId } = asked
  for (let reads = 0; reads < MOST_READS; reads++) {
    const found = await findInvoiceAtGateway(tools.database.db, account, asked)
    if (!found || (paid && found.paid)) return null
    const money = await readMoney(tools, { account, gatewayInvoiceId })
    if (!money) return null
    const elsewhereCents = await readRefundedOutside(tools, account, found.others)
    const result = await tools.transaction((tx) => followMoney(tx, found, money, elsewhereCents))
    if (result === 'changed') continue
    const { organizationId, invoiceId } = found
    const about = { organizationId, invoiceId, gatewayInvoiceId, result }
    if (result !== 'followed' && result !== 'ended') tools.log.warn(about, 'money is not followed')
    return result
  }
  throw new Error('the invoice changed each time that its money was read')
}

/**
 * Updates an invoice from a gateway invoice that a job found by a key of the invoice, of its present or an earlier
 * revision. Returns the result of `followAtGateway`.
 */
export function followFound(
  tools: JobTools,
  { organizationId, invoiceId }: { organizationId: number; invoiceId: number },
  { account, gatewayInvoiceId }: InvoiceAtGateway,
): Promise<FollowedMoney | null> {
  const reference = { organizationId, invoiceId }
  return followAtGateway(tools, account, {
    gatewayInvoiceId,
    payment: null,
    reference,
    foundByKey: true,
    paid: false,
  })
}

/**
 * Returns the payments of a gateway invoice with the status `paid`; for any other status an empty list, without a read.
 */
export async function paymentsAtGateway(
  { gateway }: Pick<JobTools, 'gateway'>,
  { status, account, gatewayInvoiceId }: InvoiceAtGateway & { status: GatewayInvoiceStatus },
): Promise<GatewayMoney['payments']> {
  return status === 'paid' ? (await gateway.readMoney({ account, gatewayInvoiceId })).payments : []
}

/**
 * Returns the sum that was refunded at the gateway itself on these gateway invoices, in cents: refunds without a key of
 * this service.
 */
async function readRefundedOutside(
  tools: JobTools,
  account: GatewayAccount,
  gatewayInvoiceIds: readonly string[],
): Promise<Cents> {
  let refundedCents: Cents = ZERO
  for (const gatewayInvoiceId of gatewayInvoiceIds) {
    const money = await readMoney(tools, { account, gatewayInvoiceId })
    if (money) refundedCents = plus(refundedCents, refundedOutside(money))
  }
  return refundedCents
}

/** Returns the payments, refunds and disputes of a gateway invoice; null when the gateway has no such invoice. */
async function readMoney({ gateway, log }: JobTools, invoice: InvoiceAtGateway): Promise<GatewayMoney | null> {
  try {
    return await gateway.readMoney(invoice)
  } catch (error) {
    if (!(error instanceof GatewayRefused) || error.code !== 'resource_missing') throw error
    log.warn({ ...invoice }, 'the payment processor has no such invoice')
    return null
  }
}
