import { z } from 'zod'
import { defineJob } from '../jobs/define-job.ts'

/** Raises one of our invoices at the payment processor. Tried for hours: the money is owed whatever the weather there. */
export const raiseAtProcessor = defineJob({
  name: 'invoices.raise-at-processor',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), invoiceId: z.int() }),
  attempts: 16,
})
