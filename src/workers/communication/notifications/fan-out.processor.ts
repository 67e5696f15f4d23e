import { MAILED_A_DAY } from '../../../shared/communication/announcements/mailing-limit.access.ts'
import { notifyPublished } from '../../../shared/communication/announcements/publish-announcement.ts'
import type { fanOutNotification, publishAnnouncement } from '../../../shared/communication/communication.jobs.ts'
import { deliverToAudience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import { claimOutboxEntry } from '../../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import type { NotificationDefinitions } from './define-notification.ts'

/**
 * Notifies the audience of a domain event. One transaction deletes the job's outbox entry, writes the in-app
 * notifications, and enqueues the mails and pushes, so that each is written once.
 */
export const fanOutNotificationProcessor =
  (definitions: NotificationDefinitions): JobProcessor<typeof fanOutNotification> =>
  async (event, tools, run) => {
    const notification = await definitions[event.kind](tools, event)
    if (!notification) return
    const audience = await notification.audience()
    await tools.transaction(async (tx) => {
      if (!(await claimOutboxEntry(tx, run.id))) return
      const orgUserIds = (await notification.claim?.(tx, audience.orgUserIds)) ?? audience.orgUserIds
      const { message, madeBy, notBefore } = notification
      const about = { ...event, madeBy, notBefore }
      await deliverToAudience(tx, run.id, about, message, { ...audience, orgUserIds })
    })
  }

/** Notifies the audience of an announcement whose publication is due. */
export const publishAnnouncementProcessor: JobProcessor<typeof publishAnnouncement> = async (payload, tools) => {
  const most = MAILED_A_DAY * tools.config.RATE_LIMIT_FACTOR
  await tools.transaction((tx) => notifyPublished(tx, payload, most))
}
