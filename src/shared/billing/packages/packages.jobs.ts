import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Bills what flights used of a package beyond what stays paid of it. */
export const billShortfall = defineJob({
  name: 'packages.bill-shortfall',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), purchaseId: z.int() }),
  attempts: 16,
})
