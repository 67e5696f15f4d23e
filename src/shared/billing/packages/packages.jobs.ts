import { z } from 'zod'
import { defineJob } from '../../platform/contracts/define-job.ts'

/** Bills the part of a package that flights used beyond its paid part. */
export const billShortfall = defineJob({
  name: 'packages.bill-shortfall',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), purchaseId: z.int() }),
  attempts: 16,
})
