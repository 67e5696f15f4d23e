import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Tells of an announcement that is published at this instant, unless it was moved since. */
export const publishAnnouncement = defineJob({
  name: 'announcements.publish',
  queue: 'notifications',
  payload: z.object({ organizationId: z.int(), announcementId: z.int(), publishAt: z.string() }),
})
