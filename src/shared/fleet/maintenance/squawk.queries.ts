import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { squawkStatuses } from '../fleet.tables.ts'

/** The time zone where each day begins first. */
const EARLIEST_ZONE = 'Pacific/Kiritimati'

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
    .leftJoin('membership as rm', (join) =>
      join.onRef('rm.organization_id', '=', 's.organization_id').onRef('rm.id', '=', 's.resolved_by'),
    )
    .selectAll('s')
    .select([
      'r.location_id',
      'r.name as resource_name',
      'm.search_name as reporter_name',
      'rm.search_name as resolver_name',
    ])
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
  'reportedBy.name': byText('m.search_name'),
  reservationId: byValue('s.reservation_id'),
  deferredUntil: byText('s.deferred_until'),
  deferralReference: byText('s.deferral_reference'),
  placarded: byValue('s.placarded'),
  'excludedOperations.*': (index) => byText(sql`s.excluded_operations ->> ${index}::int`),
  resolution: byText('s.resolution'),
  'resolvedBy.orgUserId': byValue('s.resolved_by'),
  'resolvedBy.name': byText('rm.search_name'),
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

/** Returns one squawk. */
export async function findSquawk(db: Db, organizationId: number, id: number): Promise<SquawkRow> {
  const row = await selectSquawks(db, organizationId).where('s.id', '=', id).executeTakeFirst()
  if (!row) throw fleetErrors.noSuchSquawk()
  return row
}

/** Returns the unresolved squawks of a resource, oldest first. `today` is the present local day at the resource. */
export async function findUnresolvedSquawks(db: Db, organizationId: number, resourceId: number, now: Date) {
  const squawks = await selectLocal(db)
    .select(['s.title', 's.severity', 's.status', 's.deferred_until as deferredUntil', 'l.time_zone_name as zone'])
    .select(['s.id', 's.deferral_ended as deferralEnded'])
    .where('s.organization_id', '=', organizationId)
    .where('s.resource_id', '=', resourceId)
    .where('s.status', '<>', 'resolved')
    .orderBy('s.id')
    .execute()
  return squawks.map(({ zone, ...squawk }) => ({ ...squawk, today: localDate(now, zone) }))
}

/**
 * Returns the resources of all organizations that have a squawk whose deferral has ended while `deferralEnded` is still
 * false.
 */
export async function findEndedDeferrals(db: Db, now: Date) {
  const ending = await selectLocal(db)
    .select(['s.organization_id as organizationId', 's.resource_id as resourceId', 'l.time_zone_name as zone'])
    .select((of) => of.fn.min('s.deferred_until').as('deferredUntil'))
    .groupBy(['s.organization_id', 's.resource_id', 'l.time_zone_name'])
    .where('s.status', '=', 'deferred')
    .where('s.deferral_ended', '=', false)
    .where('s.deferred_until', '<', localDate(now, EARLIEST_ZONE))
    .execute()
  const ended = ending.filter(
    ({ zone, deferredUntil }) => deferredUntil !== null && deferredUntil < localDate(now, zone),
  )
  return ended.map(({ organizationId, resourceId }) => ({ organizationId, resourceId }))
}

function selectLocal(db: Db) {
  return db
    .selectFrom('squawk as s')
    .innerJoin('resource as r', (join) =>
      join.onRef('r.organization_id', '=', 's.organization_id').onRef('r.id', '=', 's.resource_id'),
    )
    .innerJoin('location as l', (join) =>
      join.onRef('l.organization_id', '=', 'r.organization_id').onRef('l.id', '=', 'r.location_id'),
    )
}
