import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Deletes the announcements that are for a group alone, before the group is deleted: without it they would be for
 * everyone. Ask behind the group's lock.
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
