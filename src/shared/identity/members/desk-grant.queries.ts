import type { DeskGrant } from '../../platform/authz/desk-grants.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

function selectDeskGrants(db: Db, organizationId: number) {
  return db
    .selectFrom('desk_grant as g')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'g.organization_id').onRef('m.id', '=', 'g.membership_id'),
    )
    .innerJoin('membership as by', (join) =>
      join.onRef('by.organization_id', '=', 'g.organization_id').onRef('by.id', '=', 'g.granted_by'),
    )
    .selectAll('g')
    .select(['m.search_name as member_name', 'by.search_name as granter_name'])
    .where('g.organization_id', '=', organizationId)
}

export type DeskGrantRow = Awaited<ReturnType<ReturnType<typeof selectDeskGrants>['execute']>>[number]

export const deskGrantSortKeys: SortKeys = {
  id: byValue('g.id'),
  orgUserId: byValue('g.membership_id'),
  'person.orgUserId': byValue('g.membership_id'),
  'person.name': byText('m.search_name'),
  grant: byText('g.kind'),
  'grantedBy.orgUserId': byValue('g.granted_by'),
  'grantedBy.name': byText('by.search_name'),
  createdAt: byValue('g.created_at'),
  updatedAt: byValue('g.updated_at'),
}

/** Returns the desk grants of an organization, or of one member, newest first. */
export function listDeskGrants(db: Db, organizationId: number, orgUserId?: number) {
  const grants = selectDeskGrants(db, organizationId).orderBy('g.id', 'desc')
  const listed = orgUserId === undefined ? grants : grants.where('g.membership_id', '=', orgUserId)
  return pageable(db, listed, deskGrantSortKeys)
}

/** Returns one desk grant. */
export async function findDeskGrant(db: Db, organizationId: number, id: number): Promise<DeskGrantRow> {
  const row = await selectDeskGrants(db, organizationId).where('g.id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns the desk grants that a member holds. */
export async function findDeskGrants(db: Db, organizationId: number, orgUserId: number): Promise<DeskGrant[]> {
  const rows = await db
    .selectFrom('desk_grant')
    .select('kind')
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .execute()
  return rows.map(({ kind }) => kind)
}
