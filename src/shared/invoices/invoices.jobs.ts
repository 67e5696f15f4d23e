import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Raises one of our invoices at the payment processor. Tried for hours: the money is owed whatever the weather there. */
export const raiseAtProcessor = defineJob({
  name: 'invoices.raise-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})

/** Ends one of our void invoices at the payment processor too; when the payer was faster, gives the money back. */
export const voidAtProcessor = defineJob({
  name: 'invoices.void-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})

/** Gives back what was paid on one of our invoices, on the card it came from. */
export const refundAtProcessor = defineJob({
  name: 'invoices.refund-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})
