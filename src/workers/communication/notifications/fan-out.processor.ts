import { MAILED_A_DAY } from '../../../shared/communication/announcements/mailing-limit.access.ts'
import { notifyPublished } from '../../../shared/communication/announcements/publish-announcement.ts'
import type { fanOut, publishAnnouncement } from '../../../shared/communication/communication.jobs.ts'
import { deliverToAudience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import { claimOutboxEntry } from '../../../shared/platform/jobs/claim-batch.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { notificationDefinitions } from './notification-definitions.ts'

/**
 * Determines the audience and delivers to it. Claiming the outbox entry in the same transaction makes the in-app rows
 * and the enqueued mails and pushes happen once.
 */
export const fanOutNotification: JobProcessor<typeof fanOut> = async (event, tools, run) => {
  const notification = await notificationDefinitions[event.kind](tools, event)
  if (!notification) return
  const audience = await notification.audience()
  await tools.transaction(async (tx) => {
    if (!(await claimOutboxEntry(tx, run.id))) return
    const orgUserIds = (await notification.claim?.(tx, audience.orgUserIds)) ?? audience.orgUserIds
    await deliverToAudience(tx, run.id, event, notification.message, { ...audience, orgUserIds })
  })
}

/** Notifies the audience of an announcement that is due. */
export const notifyPublishedAnnouncement: JobProcessor<typeof publishAnnouncement> = async (payload, tools) => {
  const most = MAILED_A_DAY * tools.config.RATE_LIMIT_FACTOR
  await tools.transaction((tx) => notifyPublished(tx, payload, most))
}
