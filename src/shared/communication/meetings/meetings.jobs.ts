import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/**
 * Makes the meeting that an approved booking request asks for. The first few tries come within the seconds that the
 * approval waits; the last about an hour later.
 */
export const createMeeting = defineJob({
  name: 'meeting.create',
  queue: 'meetings',
  payload: z.object({ organizationId: z.int(), bookingRequestId: z.int() }),
  attempts: 13,
})
