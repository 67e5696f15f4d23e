import type { closeLeftAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { FindInvoice, PaymentGateway } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { type CallResult, done } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, Log } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Closes a deleted organization's invoices at the payment gateway. A refusal is only logged; operators resolve it in
 * the gateway's dashboard.
 */
export const closeInvoicesLeftAtGateway: JobProcessor<typeof closeLeftAtGateway> = async ({ invoices }, tools, run) => {
  for (const { giveBack, createdAt, ...left } of invoices) {
    await deliver(tools, run, {
      kind: 'payments.close',
      subject: `${run.id}/${left.key}`,
      call: () => end(tools.gateway, { ...left, createdAt: new Date(createdAt) }, giveBack, tools.log),
    })
  }
}

async function end(gateway: PaymentGateway, request: FindInvoice, giveBack: boolean, log: Log): Promise<CallResult> {
  try {
    const found = await gateway.findInvoice(request)
    if (!found) return done()
    const invoice = { account: request.account, processorInvoiceId: found.processorInvoiceId }
    if (found.status !== 'paid') await gateway.voidInvoice(invoice)
    else if (giveBack) await gateway.refund({ ...invoice, key: `ref_${request.key}`, amountCents: null })
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    log.warn({ key: request.key, code: error.code }, 'an invoice of a deleted organization was not ended')
  }
  return done()
}
