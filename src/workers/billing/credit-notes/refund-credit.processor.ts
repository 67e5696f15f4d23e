import { findCreditToRefund } from '../../../shared/billing/credit-notes/credit-note.queries.ts'
import type { refundCreditAtGateway } from '../../../shared/billing/credit-notes/credit-notes.jobs.ts'
import { recordCreditRefund } from '../../../shared/billing/credit-notes/give-back.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import { done, never } from '../../../shared/platform/deliveries/call-result.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { ZERO } from '../../../shared/platform/kernel/units.ts'

/** Gives back what a credit note refunds. The job is idempotent: the refund carries a key stored on its row. */
export const refundCredit: JobProcessor<typeof refundCreditAtGateway> = async (payload, tools, run) => {
  const request = await findCreditToRefund(tools.database.db, payload)
  if (!request) return
  await deliver(tools, run, {
    kind: 'payments.refund',
    async call() {
      try {
        const refunded = await tools.gateway.refund(request)
        return done((tx) => recordCreditRefund(tx, payload, refunded))
      } catch (error) {
        if (!(error instanceof GatewayRefused)) throw error
        const refusal = { refundedCents: ZERO, error: error.message }
        return never(error.code, (tx) => recordCreditRefund(tx, payload, refusal))
      }
    },
  })
}
