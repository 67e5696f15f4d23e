import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/**
 * Reads what the payment gateway took in, gave back and lost for an invoice, after an event that says so: about a
 * gateway invoice, or about a payment of one.
 */
export const followMoneyAtGateway = defineJob({
  name: 'payments.follow-at-processor',
  queue: 'invoicing',
  payload: z.object({
    account: z.string().nullable(),
    processorInvoiceId: z.string().nullable(),
    payment: z.string().nullable(),
  }),
  attempts: 16,
})

/** Gives back to the card what a payment brought above what was due. */
export const refundOverpaidAtGateway = defineJob({
  name: 'payments.refund-overpaid',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int(), paymentId: z.int() }),
  attempts: 16,
})
