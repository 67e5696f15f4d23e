import { findAudience, findPublished } from '../../../shared/communication/announcements/announcement.queries.ts'
import { claimNotices } from '../../../shared/communication/announcements/claim-notices.ts'
import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  type AnnouncementTemplateData,
  announcementPublished,
} from '../../../shared/communication/notifications/templates/organization.rules.ts'
import type { Tx } from '../../../shared/platform/db/transaction.ts'
import {
  defineNotification,
  members,
  type NotificationDefinitions,
  type NotificationSources,
} from '../notifications/define-notification.ts'

/** Returns an announcement that is published and not expired; null otherwise. */
function publishedAnnouncement(
  { database, clock }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
): Promise<AnnouncementTemplateData | null> {
  return findPublished(database.db, organizationId, subjectId, clock())
}

/** Returns the members in the announcement's audience, without its author. */
async function announcementAudience(
  { id }: AnnouncementTemplateData,
  { database }: NotificationSources,
  { organizationId }: DomainEvent,
): Promise<Audience> {
  return members(await findAudience(database.db, organizationId, id))
}

/** Records who is notified of an announcement. Returns those who were not notified before. */
function claimAnnouncement(
  { id }: AnnouncementTemplateData,
  tx: Tx,
  { organizationId }: DomainEvent,
  orgUserIds: readonly number[],
): Promise<number[]> {
  return claimNotices(tx, { organizationId, announcementId: id }, orgUserIds)
}

/** The notifications of announcements, by their kind. */
export const announcementNotifications = {
  announcement: defineNotification(
    publishedAnnouncement,
    announcementAudience,
    announcementPublished,
    claimAnnouncement,
  ),
} satisfies Partial<NotificationDefinitions>
