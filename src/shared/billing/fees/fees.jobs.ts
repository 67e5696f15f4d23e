import { z } from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/contracts/define-job.ts'

/** Charges the fee of a cancellation when its time for review is over. */
export const chargeFee = defineJob({
  name: 'fees.charge-fee',
  queue: 'invoicing',
  payload: z.object({ organizationId: z.int(), reservationId: z.int(), feeId: z.int() }),
})

/** Enqueues the charge of fees that are due and that no job has charged. */
export const chargeDueFees = defineScheduledJob({
  name: 'fees.charge-due-fees',
  queue: 'invoicing',
  schedule: '23 * * * *',
})
