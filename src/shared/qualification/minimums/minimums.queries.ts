import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import { hasRole, staff } from '../../platform/authz/roles.ts'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { noMinimums, type PilotMinimums } from './minimums.rules.ts'

/** The personal weather limits of a member; `createdAt` and `updatedAt` are null when none are set. */
export interface MinimumsRow {
  orgUserId: number
  minimums: PilotMinimums
  createdAt: string | null
  updatedAt: string | null
}

/** SQL for the personal weather limits of the member `m` as JSON; null when none are set. */
export const minimumsOfMember: RawBuilder<PilotMinimums | null> = sql`(
  select json_build_object('ceilingFeet', n.ceiling_feet, 'visibilityMiles', n.visibility_miles, 'windKnots', n.wind_knots,
    'gustKnots', n.gust_knots, 'crosswindKnots', n.crosswind_knots)
  from pilot_minimums n where n.organization_id = m.organization_id and n.membership_id = m.id)`

/** Returns a member's personal weather limits to the member and to staff. */
export async function findMinimums(source: Source, actor: Actor, orgUserId: number): Promise<MinimumsRow> {
  if (orgUserId !== actor.orgUserId && !hasRole(actor.roles, staff)) throw platformErrors.notAllowed()
  const [row] = await readRows(
    source,
    sql<{ minimums: PilotMinimums | null; createdAt: Date | null; updatedAt: Date | null }>`
    select ${minimumsOfMember} as minimums, n.created_at as "createdAt", n.updated_at as "updatedAt"
    from membership m
    left join pilot_minimums n on n.organization_id = m.organization_id and n.membership_id = m.id
    where m.organization_id = ${actor.organizationId} and m.id = ${orgUserId} and m.removed_at is null`,
  )
  if (!row) throw platformErrors.noSuchRecord()
  const { minimums, createdAt, updatedAt } = row
  return {
    orgUserId,
    minimums: minimums ?? noMinimums,
    createdAt: createdAt?.toISOString() ?? null,
    updatedAt: updatedAt?.toISOString() ?? null,
  }
}
