import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Charges an invoice to the card of a payer who has autopay on. `attempt` counts from 1. */
export const chargeByAutopay = defineJob({
  name: 'autopay.charge-by-autopay',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), attempt: z.int() }),
  attempts: 16,
})

/** Mails a payer that an invoice, which somebody else raised, will be charged to the payer's card, and when. */
export const mailOfCharge = defineJob({
  name: 'autopay.mail-of-charge',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
})

/**
 * Detaches the cards of a former member at the payment gateway. The member's rows may be deleted by then. The payload has no
 * `organizationId`, because jobs with one are deleted with their organization.
 */
export const detachCardsLeft = defineJob({
  name: 'autopay.detach-cards-left',
  queue: 'invoicing',
  payload: z.object({
    account: z.string().nullable(),
    customer: z.object({ key: z.string(), gatewayCustomerId: z.string() }),
  }),
  attempts: 16,
})
