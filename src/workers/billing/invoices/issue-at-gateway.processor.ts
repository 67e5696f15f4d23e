import { findInvoiceToRaise } from '../../../shared/billing/invoices/invoice-to-issue.queries.ts'
import type { issueAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import {
  closeOrphanedGatewayInvoice,
  failInvoice,
  recordGatewayInvoice,
} from '../../../shared/billing/invoices/record-gateway-invoice.ts'
import { done, never } from '../../../shared/platform/adapters/call-result.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { IssueInvoice, PaymentGateway } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { paymentsAtGateway } from '../payments/follow-at-gateway.ts'

/**
 * Issues one invoice at the payment gateway. The job is idempotent: each call carries a key stored on the invoice's
 * row. When the gateway refuses, the gateway's invoice is voided, and `failInvoice` stores the reason and the new
 * status. When the invoice is not pending any more or its lines were replaced, nothing is issued; a job closes what an
 * earlier run left open at the gateway.
 */
export const issueAtGatewayProcessor: JobProcessor<typeof issueAtGateway> = async (payload, tools, run) => {
  const request = await findInvoiceToRaise(tools.database.db, payload)
  if (!request) return tools.transaction((tx) => closeOrphanedGatewayInvoice(tx, payload))
  await deliver(tools, run, {
    kind: 'payments.issue',
    async call() {
      try {
        const raised = await tools.gateway.issueInvoice(request)
        const payments = await paymentsAtGateway(tools, { account: request.account, ...raised })
        return done((tx) => recordGatewayInvoice(tx, payload, raised, payments))
      } catch (error) {
        if (!(error instanceof GatewayRefused)) throw error
        await withdraw(tools.gateway, request)
        return never(error.code, (tx) => failInvoice(tx, payload, error.message))
      }
    },
  })
}

/**
 * Voids the gateway's invoice after a refused call, so that nobody can pay it. Does nothing when there is none, or when
 * it is paid.
 */
async function withdraw(gateway: PaymentGateway, request: IssueInvoice): Promise<void> {
  try {
    const left = await gateway.findInvoice(request)
    if (!left || left.status === 'paid') return
    await gateway.voidInvoice({ account: request.account, gatewayInvoiceId: left.gatewayInvoiceId })
  } catch (error) {
    // When the gateway also refuses to void it, for example because the account is closed, a retry cannot help.
    if (!(error instanceof GatewayRefused)) throw error
  }
}
