import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Mails a guest the desk's decision about their request. */
export const guestDecisionJob = defineJob({
  name: 'booking-requests.tell-guest-decision',
  queue: 'email',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
})
