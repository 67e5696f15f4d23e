import type { publishAnnouncement } from '../../../shared/communication/announcements/announcements.jobs.ts'
import { notifyPublished } from '../../../shared/communication/announcements/publish-announcement.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Notifies the audience of an announcement that is due. */
export const notifyPublishedAnnouncement: JobProcessor<typeof publishAnnouncement> = async (payload, tools) => {
  await tools.transaction((tx) => notifyPublished(tx, payload))
}
