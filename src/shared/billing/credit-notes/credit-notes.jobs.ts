import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Refunds the amount of a credit note to the card that paid its invoice. */
export const refundCreditAtGateway = defineJob({
  name: 'credits.refund-credit-at-gateway',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), creditId: z.int() }),
  attempts: 16,
})
