import { MAILED_A_DAY } from '../../../shared/communication/announcements/mailing-limit.access.ts'
import { notifyPublished } from '../../../shared/communication/announcements/publish-announcement.ts'
import type { publishAnnouncement } from '../../../shared/communication/communication.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'

/** Notifies the audience of an announcement that is due. */
export const notifyPublishedAnnouncement: JobProcessor<typeof publishAnnouncement> = async (payload, tools) => {
  const most = MAILED_A_DAY * tools.config.RATE_LIMIT_FACTOR
  await tools.transaction((tx) => notifyPublished(tx, payload, most))
}
