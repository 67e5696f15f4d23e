import type { chargeByAutopay, detachCardsLeft } from '../../../shared/billing/autopay/autopay.jobs.ts'
import { cardToCharge } from '../../../shared/billing/autopay/autopay.rules.ts'
import { type BegunCharge, beginCharge, recordCharge } from '../../../shared/billing/autopay/start-charge.ts'
import { type CallResult, done, never } from '../../../shared/platform/adapters/call-result.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { JobPayload } from '../../../shared/platform/contracts/define-job.ts'
import { deliver } from '../../../shared/platform/deliveries/deliver.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'
import { paymentsAtGateway } from './follow-at-gateway.ts'

/**
 * Charges an invoice to the saved card of its payer. The job is idempotent: an attempt that a killed worker began is
 * repeated with the same key, and the gateway's invoice can be paid only once. When the gateway refuses the charge, or
 * does not answer any attempt of the job, the payer is asked to pay.
 */
export const chargeByAutopayProcessor: JobProcessor<typeof chargeByAutopay> = async (payload, tools, run) => {
  const begun = await tools.transaction((tx) => beginCharge(tx, payload))
  if (!begun) return
  await deliver(tools, run, {
    kind: 'payments.charge',
    call: (claim) => charge(tools, payload, begun, { repeated: claim.attempt > 1 }),
    onGivenUp: (tx) => recordCharge(tx, payload, { outcome: 'unknown' }, { repeated: true }),
  })
}

async function charge(
  tools: JobTools,
  attempt: JobPayload<typeof chargeByAutopay>,
  { owner, consentedAt, ...request }: BegunCharge,
  earlier: { repeated: boolean },
): Promise<CallResult> {
  const { gateway } = tools
  try {
    const card = cardToCharge(await gateway.listCards(owner), consentedAt)
    if (!card) return done((tx) => recordCharge(tx, attempt, { outcome: 'no_card' }, earlier))
    const outcome = await gateway.chargeCard({ ...request, cardId: card.id })
    if (!('invoice' in outcome)) return done((tx) => recordCharge(tx, attempt, outcome, earlier))
    const { status, gatewayInvoiceId } = outcome.invoice
    const payments = await paymentsAtGateway(tools, { account: request.account, gatewayInvoiceId, status })
    return done((tx) => recordCharge(tx, attempt, { ...outcome, payments }, earlier))
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    return never(error.code, (tx) => recordCharge(tx, attempt, { outcome: 'refused' }, earlier))
  }
}

/**
 * Detaches the saved cards of a former member at the payment gateway. A refusal is only logged, because then the
 * account is closed or the customer is deleted.
 */
export const detachCardsLeftProcessor: JobProcessor<typeof detachCardsLeft> = async (
  { account, customer },
  tools,
  run,
) => {
  const owner = { account, customer }
  await deliver(tools, run, {
    kind: 'payments.detach',
    async call() {
      try {
        for (const { id } of await tools.gateway.listCards(owner)) await tools.gateway.detachCard(owner, id)
      } catch (error) {
        if (!(error instanceof GatewayRefused)) throw error
        tools.log.warn({ code: error.code }, 'the cards of a member who left were not taken away')
      }
      return done()
    },
  })
}
