import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Mails a guest the link that confirms their request. */
export const sendConfirmation = defineJob({
  name: 'offerings.send-confirmation',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})
