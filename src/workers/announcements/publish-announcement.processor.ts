import type { publishAnnouncement } from '../../shared/announcements/announcements.jobs.ts'
import { tellOfPublished } from '../../shared/announcements/publish-announcement.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'

/** Tells of one announcement, when it is out. */
export const tellOfPublishedAnnouncement: JobProcessor<typeof publishAnnouncement> = async (payload, tools) => {
  await tools.transaction((tx) => tellOfPublished(tx, payload))
}
