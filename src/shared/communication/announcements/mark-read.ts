import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { findAnnouncement } from './announcement.queries.ts'

/**
 * Records that the actor has read an announcement. The first read counts.
 * @throws NotFound when there is no such announcement, or the actor may not see it.
 */
export async function markAnnouncementRead(tx: Tx, actor: Actor, id: number): Promise<void> {
  const { organizationId, orgUserId } = actor
  await findAnnouncement(tx.db, { ...actor, now: tx.now }, id)
  await tx.db
    .insertInto('announcement_read')
    .values({ organization_id: organizationId, announcement_id: id, membership_id: orgUserId, read_at: tx.now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'announcement_id', 'membership_id']).doNothing())
    .execute()
}
