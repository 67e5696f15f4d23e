import type { closeLeftAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { FindInvoice } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { type CallResult, done } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobPayload } from '../../../shared/platform/jobs/define-job.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Closes a deleted organization's invoices at the payment gateway. A refusal is only logged; operators resolve it in
 * the gateway's dashboard.
 */
export const closeInvoicesLeftAtGateway: JobProcessor<typeof closeLeftAtGateway> = async ({ invoices }, tools, run) => {
  for (const { giveBack, refunds, createdAt, ...left } of invoices) {
    await deliver(tools, run, {
      kind: 'payments.close',
      subject: `${run.id}/${left.key}`,
      call: () => end(tools, { ...left, createdAt: new Date(createdAt) }, { giveBack, refunds }),
    })
  }
}

async function end(
  { gateway, log }: Pick<JobTools, 'gateway' | 'log'>,
  request: FindInvoice,
  { giveBack, refunds }: Pick<JobPayload<typeof closeLeftAtGateway>['invoices'][number], 'giveBack' | 'refunds'>,
): Promise<CallResult> {
  try {
    const found = await gateway.findInvoice(request)
    if (!found) return done()
    const invoice = { account: request.account, processorInvoiceId: found.processorInvoiceId }
    if (found.status !== 'paid') {
      await gateway.voidInvoice(invoice)
      return done()
    }
    for (const refund of refunds) await gateway.refund({ ...invoice, ...refund })
    if (giveBack) await gateway.refund({ ...invoice, key: `ref_${request.key}`, amountCents: null })
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    log.warn({ key: request.key, code: error.code }, 'an invoice of a deleted organization was not ended')
  }
  return done()
}
