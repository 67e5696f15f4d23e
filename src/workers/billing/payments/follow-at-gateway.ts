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

/** How often the gateway is read at most while other jobs change the invoice meanwhile. */
const MOST_READS = 5

/**
 * Brings an invoice to what the payment gateway has of it. It is read there once, unless the invoice changes here meanwhile;
 * nothing is read when what is said to be `paid` is stored. Money of another account is of no invoice here (null); that of
 * another customer, in another currency, or of an invoice that the service did not raise is left alone and logged.
 * @throws Error when the gateway cannot be read, or the invoice changed each time: the job is tried again.
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

/** Follows a gateway invoice that a job found by a key of this invoice, of an earlier revision too. */
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

/** Returns what the gateway took in for an invoice that is paid there; of any other nothing is read. */
export async function paymentsAtGateway(
  { gateway }: Pick<JobTools, 'gateway'>,
  { status, account, gatewayInvoiceId }: InvoiceAtGateway & { status: GatewayInvoiceStatus },
): Promise<GatewayMoney['payments']> {
  return status === 'paid' ? (await gateway.readMoney({ account, gatewayInvoiceId })).payments : []
}

/** Reads what the gateway gave back on its own of gateway invoices, in cents. */
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

/** Reads the money of a gateway invoice; null when the gateway has no such invoice. */
async function readMoney({ gateway, log }: JobTools, invoice: InvoiceAtGateway): Promise<GatewayMoney | null> {
  try {
    return await gateway.readMoney(invoice)
  } catch (error) {
    if (!(error instanceof GatewayRefused) || error.code !== 'resource_missing') throw error
    log.warn({ ...invoice }, 'the payment processor has no such invoice')
    return null
  }
}
