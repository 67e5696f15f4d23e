import type { Tx } from '../../platform/db/transaction.ts'
import type { JobPayload } from '../../platform/jobs/define-job.ts'
import { notify } from '../notifications/notify.ts'
import { lockAnnouncementIfAny } from './announcement.access.ts'
import type { Announcement } from './announcement.entity.ts'
import { publishAnnouncement } from './announcements.jobs.ts'

/**
 * Notifies the audience of an announcement once: now when it is published, otherwise by a job at `publishAt`. An
 * announcement whose audience was notified, or that has expired, is skipped.
 */
export function notifyWhenPublished(tx: Tx, announcement: Announcement): void {
  const { id, organizationId, publishAt, expiresAt, authorId } = announcement
  if (announcement.toldAt) return
  if (publishAt > tx.now) {
    const payload = { organizationId, announcementId: id, publishAt: publishAt.toISOString() }
    tx.enqueue(publishAnnouncement, payload, { availableAt: publishAt })
  } else if (!expiresAt || expiresAt > tx.now) {
    announcement.toldAt = tx.now
    notify(tx, { organizationId, kind: 'announcement', subjectId: id, causedBy: authorId })
  }
}

/**
 * Notifies the audience of an announcement that is due. An announcement that was moved is skipped, because the move
 * enqueued its own job.
 */
export async function notifyPublished(
  tx: Tx,
  { organizationId, announcementId, publishAt }: JobPayload<typeof publishAnnouncement>,
): Promise<void> {
  const announcement = await lockAnnouncementIfAny(tx, organizationId, announcementId)
  if (announcement?.publishAt.toISOString() === publishAt) notifyWhenPublished(tx, announcement)
}
