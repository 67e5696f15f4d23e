import type { closeLeftAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { type CallResult, done } from '../../../shared/platform/adapters/call-result.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type {
  FindInvoice,
  InvoiceAtGateway,
  PaymentGateway,
} from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import type { Cents } from '../../../shared/platform/kernel/units.ts'
import { refundEach } from '../payments/payments.processor.ts'

/**
 * Closes the invoices of a deleted organization at the payment gateway, and makes the refunds that were still to be
 * made. A refusal is only logged; operators resolve it in the gateway's dashboard.
 */
export const closeLeftAtGatewayProcessor: JobProcessor<typeof closeLeftAtGateway> = async (
  { invoices },
  tools,
  run,
) => {
  for (const { giveBack, refunds, copies, kept, createdAt, ...left } of invoices) {
    await deliver(tools, run, {
      kind: 'payments.close',
      subject: `${run.id}/${left.key}`,
      call: () => end(tools, { ...left, createdAt: new Date(createdAt) }, { giveBack, refunds, copies, kept }),
    })
  }
}

type OwedBack = Pick<
  JobPayload<typeof closeLeftAtGateway>['invoices'][number],
  'giveBack' | 'refunds' | 'copies' | 'kept'
>

async function end(
  { gateway, log }: Pick<JobTools, 'gateway' | 'log'>,
  request: FindInvoice,
  { giveBack, refunds, copies, kept }: OwedBack,
): Promise<CallResult> {
  const { account, key } = request
  const unlessRefused = async <T>(step: () => Promise<T>): Promise<T | null> => {
    try {
      return await step()
    } catch (error) {
      if (!(error instanceof GatewayRefused)) throw error
      log.warn({ key, code: error.code }, 'an invoice of a deleted organization was not ended')
      return null
    }
  }
  const found = await unlessRefused(() => gateway.findInvoice(request))
  const present = found ? [found.gatewayInvoiceId] : []
  if (found && found.status !== 'paid') {
    await unlessRefused(() => close(gateway, { account, gatewayInvoiceId: found.gatewayInvoiceId }))
  }
  // Like an ordinary refund, it goes to the gateway invoices on which the payments were made, latest first.
  const refund = (ofKey: string, amountCents: Cents | null, gatewayInvoiceIds: string[]) =>
    unlessRefused(() => refundEach(gateway, { account, key: ofKey, amountCents, gatewayInvoiceIds }))
  for (const one of refunds) await refund(one.key, one.amountCents, one.copies.length > 0 ? one.copies : present)
  const rest = [...new Set([...present, ...copies])].filter((one) => !kept.includes(one))
  if (giveBack) await refund(`ref_${key}`, null, rest)
  return done()
}

/**
 * Voids a gateway invoice; a paid one stays as it is. One that is paid in part cannot be voided: the rest is marked as
 * paid outside the gateway, so that nobody pays it.
 * @throws GatewayRefused when the gateway refuses for another reason
 */
async function close(gateway: PaymentGateway, invoice: InvoiceAtGateway): Promise<void> {
  try {
    await gateway.voidInvoice(invoice)
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    const now = await gateway.retrieveInvoice(invoice)
    if (now.status === 'paid') return
    if (now.status !== 'open' || now.amountPaidCents === 0) throw error
    await gateway.markPaidOutOfBand(invoice)
  }
}
