import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Deletes the announcements whose audience is this group alone: without the group they would address all members. The
 * caller holds the group's lock and then deletes the group.
 */
export async function withdrawFromGroup(
  tx: Tx,
  { organizationId, groupId }: { organizationId: number; groupId: number },
): Promise<void> {
  await sql`
    delete from announcement a
    where a.organization_id = ${organizationId} and a.roles = '[]'
      and exists (select from announcement_group g
        where g.organization_id = a.organization_id and g.announcement_id = a.id and g.group_id = ${groupId})
      and not exists (select from announcement_group g
        where g.organization_id = a.organization_id and g.announcement_id = a.id and g.group_id <> ${groupId})`.execute(
    tx.db,
  )
}
