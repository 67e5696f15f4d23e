import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { findKnownGroups } from '../../identity/groups/group.queries.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { communicationErrors } from '../communication.errors.ts'
import { Announcement } from '../communication.tables.ts'

/** Returns an announcement, locked; null when it is deleted. */
export function lockAnnouncementIfAny(tx: Tx, organizationId: number, id: number): Promise<Announcement | null> {
  return tx.em.findOne(Announcement, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/** Returns the announcement to change, locked. */
export async function lockAnnouncement(tx: Tx, organizationId: number, id: number): Promise<Announcement> {
  const announcement = await lockAnnouncementIfAny(tx, organizationId, id)
  if (!announcement) throw platformErrors.noSuchRecord()
  return announcement
}

/** Returns, locked, the ids of the announcements whose audience is only this group. */
export async function lockAnnouncementsForGroupAlone(
  tx: Tx,
  { organizationId, groupId }: { organizationId: number; groupId: number },
): Promise<number[]> {
  const groups = sql`announcement_group g where g.organization_id = a.organization_id and g.announcement_id = a.id`
  const rows = await tx.db
    .selectFrom('announcement as a')
    .select('a.id')
    .where('a.organization_id', '=', organizationId)
    .where(sql<boolean>`a.roles = '[]'`)
    .where(sql<boolean>`exists (select from ${groups} and g.group_id = ${groupId})`)
    .where(sql<boolean>`not exists (select from ${groups} and g.group_id <> ${groupId})`)
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

/** Ensures that all `groupIds` are groups of the organization. */
export async function assertHasGroups(tx: Tx, organizationId: number, groupIds: number[]): Promise<void> {
  const known = await findKnownGroups(tx.db, organizationId, groupIds)
  const unknown = groupIds.findIndex((groupId) => !known.has(groupId))
  if (unknown >= 0) throw communicationErrors.unknownGroup({ index: unknown })
}
