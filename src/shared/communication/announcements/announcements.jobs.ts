import { z } from 'zod'
import { defineJob } from '../../platform/jobs/define-job.ts'

/** Notifies the audience of an announcement at `publishAt`, unless that instant has changed since. */
export const publishAnnouncement = defineJob({
  name: 'announcements.publish',
  queue: 'notifications',
  payload: z.object({ organizationId: z.int(), announcementId: z.int(), publishAt: z.string() }),
})
