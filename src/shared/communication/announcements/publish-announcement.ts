import { lockOrganization } from '../../identity/organizations/organization.access.ts'
import type { JobPayload } from '../../platform/contracts/define-job.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { TooManyRequests } from '../../platform/kernel/errors.ts'
import { publishAnnouncement } from '../communication.jobs.ts'
import type { Announcement } from '../communication.tables.ts'
import { notify } from '../notifications/notify.ts'
import { lockAnnouncementIfAny } from './announcement.access.ts'
import { hasUnnotified } from './announcement.queries.ts'
import { countMailing } from './mailing-limit.access.ts'

/**
 * Notifies the audience of an announcement once: now when it is published, otherwise by a job at `publishAt`. Does
 * nothing when the announcement has expired or its audience was notified already. `most` is the limit per 24 hours.
 * @throws TooManyRequests when it is published now and `most` were sent within 24 hours.
 */
export async function notifyWhenPublished(tx: Tx, announcement: Announcement, most: number): Promise<void> {
  const { id, organizationId, publishAt, authorId } = announcement
  if (announcement.notifiedAt) return
  if (publishAt > tx.now) enqueuePublishing(tx, announcement, publishAt)
  else if (isOut(announcement, tx.now)) {
    await countMailing(tx, organizationId, most)
    announcement.notifiedAt = tx.now
    notify(tx, { organizationId, kind: 'announcement', subjectId: id, causedBy: authorId })
  }
}

/**
 * Notifies the members whom a changed audience adds to a published announcement. Does nothing when no member is added.
 * @throws TooManyRequests when `most` announcements were sent within 24 hours
 */
export async function notifyAdded(
  tx: Tx,
  announcement: Announcement,
  { causedBy, most }: { causedBy: number; most: number },
): Promise<void> {
  const { id, organizationId } = announcement
  if (!announcement.notifiedAt || !isOut(announcement, tx.now)) return
  await tx.em.flush()
  if (!(await hasUnnotified(tx.db, organizationId, id))) return
  await countMailing(tx, organizationId, most)
  notify(tx, { organizationId, kind: 'announcement', subjectId: id, causedBy })
}

/**
 * Notifies the audience of an announcement whose `publishAt` has come. Does nothing when `publishAt` was changed,
 * because the change enqueued another job. When the daily limit is reached, enqueues the job again for the time when
 * the limit allows it.
 */
export async function notifyPublished(
  tx: Tx,
  { organizationId, announcementId, publishAt }: JobPayload<typeof publishAnnouncement>,
  most: number,
): Promise<void> {
  const announcement = await lockAnnouncementIfAny(tx, organizationId, announcementId)
  if (announcement?.publishAt.toISOString() !== publishAt) return
  // A request that changes the announcement locks the organization first. When the two deadlock, one is retried.
  await lockOrganization(tx, organizationId)
  try {
    await notifyWhenPublished(tx, announcement, most)
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error
    enqueuePublishing(tx, announcement, new Date(tx.now.getTime() + error.retryAfterSeconds * 1000))
  }
}

function isOut({ publishAt, expiresAt }: Announcement, now: Date): boolean {
  return publishAt <= now && (!expiresAt || expiresAt > now)
}

function enqueuePublishing(tx: Tx, { id, organizationId, publishAt }: Announcement, availableAt: Date): void {
  const payload = { organizationId, announcementId: id, publishAt: publishAt.toISOString() }
  tx.enqueue(publishAnnouncement, payload, { availableAt })
}
