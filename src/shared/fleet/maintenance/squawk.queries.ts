import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { squawkStatuses } from './maintenance.entity.ts'

/** The filter of a list of squawks. */
export interface SquawkFilter {
  resourceIds?: number[] | undefined
  statuses?: readonly (typeof squawkStatuses)[number][] | undefined
}

function selectSquawks(db: Db, organizationId: number) {
  return db
    .selectFrom('squawk as s')
    .innerJoin('resource as r', (join) =>
      join.onRef('r.organization_id', '=', 's.organization_id').onRef('r.id', '=', 's.resource_id'),
    )
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 's.organization_id').onRef('m.id', '=', 's.reported_by'),
    )
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .leftJoin('membership as rm', (join) =>
      join.onRef('rm.organization_id', '=', 's.organization_id').onRef('rm.id', '=', 's.resolved_by'),
    )
    .leftJoin('account as ra', 'ra.id', 'rm.account_id')
    .selectAll('s')
    .select(['r.name as resource_name', 'a.name as reporter_name', 'ra.name as resolver_name'])
    .where('s.organization_id', '=', organizationId)
}

export type SquawkRow = Awaited<ReturnType<ReturnType<typeof selectSquawks>['execute']>>[number]

export const squawkSortKeys: SortKeys = {
  id: byValue('s.id'),
  'resource.id': byValue('s.resource_id'),
  'resource.name': byText('r.name'),
  title: byText('s.title'),
  description: byText('s.description'),
  severity: byText('s.severity'),
  status: byText('s.status'),
  'reportedBy.orgUserId': byValue('s.reported_by'),
  'reportedBy.name': byText('a.name'),
  reservationId: byValue('s.reservation_id'),
  resolution: byText('s.resolution'),
  'resolvedBy.orgUserId': byValue('s.resolved_by'),
  'resolvedBy.name': byText('ra.name'),
  resolvedAt: byValue('s.resolved_at'),
  createdAt: byValue('s.created_at'),
  updatedAt: byValue('s.updated_at'),
}

/** Returns the squawks of an organization, newest first. */
export function listSquawks(db: Db, organizationId: number, { resourceIds, statuses }: SquawkFilter) {
  let query = selectSquawks(db, organizationId).orderBy('s.created_at', 'desc').orderBy('s.id', 'desc')
  if (resourceIds) query = query.where('s.resource_id', '=', sql<number>`any(${resourceIds}::int[])`)
  if (statuses) query = query.where('s.status', 'in', [...statuses])
  return pageable(db, query, squawkSortKeys)
}

/**
 * Returns one squawk.
 * @throws NotFound when the organization has none with this id.
 */
export async function findSquawk(db: Db, organizationId: number, id: number): Promise<SquawkRow> {
  const row = await selectSquawks(db, organizationId).where('s.id', '=', id).executeTakeFirst()
  if (!row) throw fleetErrors.noSuchSquawk()
  return row
}

/** Returns the titles of a resource's open squawks that ground it, oldest first. */
export async function findGroundingSquawks(db: Db, organizationId: number, resourceId: number): Promise<string[]> {
  const squawks = await db
    .selectFrom('squawk')
    .select('title')
    .where('organization_id', '=', organizationId)
    .where('resource_id', '=', resourceId)
    .where('status', '=', 'open')
    .where('severity', '=', 'grounding')
    .orderBy('id')
    .execute()
  return squawks.map(({ title }) => title)
}
