import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { containing } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/**
 * Selects the groups of an organization, sorted by name, each with its members in the order in which they were added.
 */
function selectGroups(db: Db, organizationId: number) {
  return db
    .selectFrom('member_group')
    .selectAll()
    .select((eb) =>
      eb
        .selectFrom('group_member')
        .whereRef('group_member.organization_id', '=', 'member_group.organization_id')
        .whereRef('group_member.group_id', '=', 'member_group.id')
        .select(sql<number[]>`coalesce(array_agg(group_member.membership_id order by group_member.id), '{}')`.as('ids'))
        .as('org_user_ids'),
    )
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
}

export type GroupRow = Awaited<ReturnType<ReturnType<typeof selectGroups>['execute']>>[number]

/** Lists the groups of an organization, sorted by name. With `q`, only those whose name contains it. */
export function listGroups(db: Db, organizationId: number, q: string | undefined) {
  return pageable(
    db,
    selectGroups(db, organizationId).$if(Boolean(q), (query) => query.where('name', 'ilike', containing(q ?? ''))),
  )
}

/** Returns one group of the organization. */
export async function findGroup(db: Db, organizationId: number, id: number): Promise<GroupRow> {
  const row = await selectGroups(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns those of the given ids that are groups of the organization. */
export async function findKnownGroups(db: Db, organizationId: number, ids: number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('member_group')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map((row) => row.id))
}
