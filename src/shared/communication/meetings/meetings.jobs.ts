import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/**
 * Creates the meeting of an approved booking request. The first attempts fall within the seconds that the approval
 * waits; the last comes about an hour later.
 */
export const createMeeting = defineJob({
  name: 'meeting.create',
  queue: 'meetings',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
  attempts: 13,
})
