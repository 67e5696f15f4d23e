import { lockGroup } from '../../identity/groups/group.access.ts'
import { lockOrganization } from '../../identity/organizations/organization.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Role } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { communicationErrors } from '../communication.errors.ts'
import { Announcement } from '../communication.tables.ts'
import { assertHasGroups, lockAnnouncement, lockAnnouncementsForGroupAlone } from './announcement.access.ts'
import { findAnnouncement } from './announcement.queries.ts'
import { MAILED_A_DAY } from './mailing-limit.access.ts'
import { notifyAdded, notifyWhenPublished } from './publish-announcement.ts'

export interface AnnouncementChanges {
  title?: string | undefined
  body?: string | undefined
  roles?: Role[] | undefined
  groupIds?: number[] | undefined
  pinned?: boolean | undefined
  /** A new announcement is published now by default. */
  publishAt?: Date | undefined
  /** Null: it does not expire. */
  expiresAt?: Date | null | undefined
}

/** Creates an announcement. Its audience is notified at `publishAt`. */
export async function createAnnouncement(
  tx: Tx,
  actor: Actor,
  input: AnnouncementChanges & { title: string; body: string },
  most: number = MAILED_A_DAY,
): Promise<{ id: number }> {
  const { organizationId } = actor
  const { title, body, roles = [], groupIds = [], pinned = false, publishAt = tx.now, expiresAt = null } = input
  assertExpiresAfterPublishing(publishAt, expiresAt)
  await lockOrganization(tx, organizationId)
  const announcement = tx.em.create(Announcement, {
    organizationId,
    title,
    body,
    roles,
    pinned,
    publishAt,
    expiresAt,
    authorId: actor.orgUserId,
  })
  await tx.em.flush()
  await replaceGroups(tx, announcement, groupIds)
  await notifyWhenPublished(tx, announcement, most)
  return { id: announcement.id }
}

/**
 * Changes the given fields; roles and groups replace the stored ones. When the announcement is published already,
 * members who are new in the audience are notified now. No member is notified twice.
 */
export async function updateAnnouncement(
  tx: Tx,
  actor: Actor,
  id: number,
  { groupIds, ...changes }: AnnouncementChanges,
  most: number = MAILED_A_DAY,
): Promise<{ id: number }> {
  await lockOrganization(tx, actor.organizationId)
  const announcement = await lockAnnouncement(tx, actor.organizationId, id)
  const { publishAt = announcement.publishAt, expiresAt = announcement.expiresAt ?? null } = changes
  assertExpiresAfterPublishing(publishAt, expiresAt)
  const moved = publishAt.getTime() !== announcement.publishAt.getTime()
  announcement.title = changes.title ?? announcement.title
  announcement.body = changes.body ?? announcement.body
  announcement.roles = changes.roles ?? announcement.roles
  announcement.pinned = changes.pinned ?? announcement.pinned
  announcement.publishAt = publishAt
  announcement.expiresAt = expiresAt
  if (groupIds) await replaceGroups(tx, announcement, groupIds)
  // A job for an unchanged `publishAt` in the future is already enqueued.
  if (moved || publishAt <= tx.now) await notifyWhenPublished(tx, announcement, most)
  if (groupIds || changes.roles) await notifyAdded(tx, announcement, { causedBy: actor.orgUserId, most })
  return { id }
}

/** Deletes an announcement. */
export async function deleteAnnouncement(tx: Tx, actor: Actor, id: number): Promise<void> {
  tx.em.remove(await lockAnnouncement(tx, actor.organizationId, id))
}

function assertExpiresAfterPublishing(publishAt: Date, expiresAt: Date | null): void {
  if (expiresAt && expiresAt <= publishAt) throw communicationErrors.expiresBeforePublished()
}

/** Replaces the groups of the audience. An insert waits until a concurrent deletion of its group has finished. */
async function replaceGroups(tx: Tx, { organizationId, id }: Announcement, groupIds: number[]): Promise<void> {
  await tx.db
    .deleteFrom('announcement_group')
    .where('organization_id', '=', organizationId)
    .where('announcement_id', '=', id)
    .execute()
  if (groupIds.length === 0) return
  await assertHasGroups(tx, organizationId, groupIds)
  await tx.db
    .insertInto('announcement_group')
    .values(groupIds.map((group_id) => ({ organization_id: organizationId, announcement_id: id, group_id })))
    .execute()
}

/**
 * Deletes the announcements whose audience is only this group: without the group, all members would be their audience.
 * The caller holds the group's lock, and deletes the group afterwards.
 */
async function withdrawFromGroup(tx: Tx, group: { organizationId: number; groupId: number }): Promise<void> {
  const ids = await lockAnnouncementsForGroupAlone(tx, group)
  if (ids.length > 0) await tx.em.nativeDelete(Announcement, { organizationId: group.organizationId, id: { $in: ids } })
}

/** Records when the actor first read an announcement. */
export async function markAnnouncementRead(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { organizationId, orgUserId } = actor
  await findAnnouncement(tx.db, { ...actor, now: tx.now }, id)
  await tx.db
    .insertInto('announcement_read')
    .values({ organization_id: organizationId, announcement_id: id, membership_id: orgUserId, read_at: tx.now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'announcement_id', 'membership_id']).doNothing())
    .execute()
}

/**
 * Deletes a group, and the announcements whose audience is only this group. The members of the group stay in the
 * organization.
 */
export async function deleteGroup(tx: Tx, actor: Actor, id: number): Promise<void> {
  const group = await lockGroup(tx, actor, id)
  await withdrawFromGroup(tx, { organizationId: actor.organizationId, groupId: id })
  tx.em.remove(group)
}
