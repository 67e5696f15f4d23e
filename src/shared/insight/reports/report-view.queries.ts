import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { insightErrors } from '../insight.errors.ts'

type Viewer = Pick<Actor, 'organizationId' | 'orgUserId'>

/** Selects the saved views that a member may see: their own and the shared ones. */
function selectViews(db: Db, { organizationId, orgUserId }: Viewer) {
  return db
    .selectFrom('report_view as v')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'v.organization_id').onRef('m.id', '=', 'v.membership_id'),
    )
    .selectAll('v')
    .select('m.search_name as author')
    .where('v.organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('v.shared', '=', true), eb('v.membership_id', '=', orgUserId)]))
}

export type ReportViewRow = Awaited<ReturnType<ReturnType<typeof selectViews>['execute']>>[number]

/** Returns the saved views of a member and the shared views as a list source, ordered by name. */
export function listViews(db: Db, viewer: Viewer) {
  return pageable(db, selectViews(db, viewer).orderBy('v.name').orderBy('v.id'))
}

/** Returns one saved view. */
export async function findView(db: Db, viewer: Viewer, id: number): Promise<ReportViewRow> {
  const row = await selectViews(db, viewer).where('v.id', '=', id).executeTakeFirst()
  if (!row) throw insightErrors.noSuchView()
  return row
}

/** Returns the number of views that a member has saved. */
export async function countViewsOf(db: Db, { organizationId, orgUserId }: Viewer): Promise<number> {
  const { views } = await db
    .selectFrom('report_view')
    .select((eb) => eb.fn.countAll<number>().as('views'))
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .executeTakeFirstOrThrow()
  return Number(views)
}
