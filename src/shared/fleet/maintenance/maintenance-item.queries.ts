import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { type Hundredths, hundredths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { Limit, MaintenanceDue, MaintenanceStatus, MeterReadings } from './maintenance-item.rules.ts'

/** The filter of a list of maintenance items. */
export interface MaintenanceItemFilter {
  resourceIds?: number[] | undefined
  statuses?: readonly MaintenanceStatus[] | undefined
}

/**
 * SQL for the present value that is compared with limit `x`, in hundredths. By the basis of the limit: the Hobbs or tach
 * reading or the landings of resource `r`, or the hours that were used since the work was done; null for a calendar limit.
 */
export const reads = sql<Hundredths | null>`(case x.basis when 'hobbs' then r.hobbs_hundredths when 'tach' then r.tach_hundredths
  when 'landings' then r.landings * 100 when 'use' then x.used_hundredths end)`

/**
 * Returns the SQL of `limitStatus`, as an index of `maintenanceStatuses`. `x` is the limit, `d` the item and `r` its
 * resource.
 */
function rankAt(now: Date): RawBuilder<number> {
  return sql<number>`(case
    when x.due_at < ${now}::timestamptz or x.due_hundredths <= ${reads} then 3
    when x.due_at - d.warn_days * interval '24 hours' <= ${now}::timestamptz
      or x.basis <> 'use' and x.due_hundredths - d.warn_hundredths <= ${reads} then 2
    when x.due_at is null and (x.due_hundredths is null or ${reads} is null)
      and coalesce(x.due_hundredths, x.interval_hundredths, x.interval_months, x.interval_days) is not null then 1
    else 0 end)`
}

const limitsOfItem = sql`maintenance_limit x where x.organization_id = d.organization_id and x.reminder_id = d.id`

/**
 * Returns the SQL of `maintenanceStatus`, so that a query can filter by the status. `d` is the item and `r` its
 * resource.
 */
export function statusAt(now: Date): RawBuilder<MaintenanceStatus> {
  return sql<MaintenanceStatus>`(array['ok', 'unknown', 'due_soon', 'overdue'])[1 + coalesce((
    select max(${rankAt(now)}) from ${limitsOfItem}), 0)]`
}

/** Returns the SQL of `firstDue`, for a lateral join: the limit of item `d` that is due first. */
export function firstLimitAt(now: Date): RawBuilder<unknown> {
  return sql`(select x.* from ${limitsOfItem} order by ${rankAt(now)} desc,
    coalesce(extract(epoch from x.due_at - ${now}::timestamptz) / 86400 / greatest(d.warn_days, 1),
      (x.due_hundredths - ${reads})::numeric / greatest(d.warn_hundredths, 1)), array_position(${bases}, x.basis) limit 1)`
}

const bases = sql`array['calendar', 'hobbs', 'tach', 'landings', 'use']`

/** SQL for the limits of item `d` as JSON, in the order of their bases. */
const limits = sql<
  LimitRow[]
>`coalesce((select json_agg(json_build_object('basis', x.basis, 'intervalMonths', x.interval_months,
  'intervalDays', x.interval_days, 'interval', x.interval_hundredths, 'lastDoneAt', x.last_done_at,
  'lastDone', x.last_done_hundredths, 'dueAt', x.due_at, 'due', x.due_hundredths, 'used', x.used_hundredths)
  order by array_position(${bases}, x.basis)) from ${limitsOfItem}), '[]')`

type LimitRow = Omit<Limit, 'lastDoneAt' | 'dueAt'> & Record<'lastDoneAt' | 'dueAt', string | null>

function selectMaintenanceItems(db: Db, organizationId: number) {
  return db
    .selectFrom('maintenance_item as d')
    .innerJoin('resource as r', (join) =>
      join.onRef('r.organization_id', '=', 'd.organization_id').onRef('r.id', '=', 'd.resource_id'),
    )
    .innerJoin('location as l', (join) =>
      join.onRef('l.organization_id', '=', 'r.organization_id').onRef('l.id', '=', 'r.location_id'),
    )
    .selectAll('d')
    .select([
      'r.name as resource_name',
      'r.hobbs_hundredths',
      'r.tach_hundredths',
      'r.landings',
      'l.time_zone_name as zone',
      limits.as('limits'),
      sql<
        number[]
      >`array(select s.satisfied_id from maintenance_satisfaction s where s.organization_id = d.organization_id
        and s.reminder_id = d.id order by s.satisfied_id)`.as('satisfies'),
    ])
    .where('d.organization_id', '=', organizationId)
}

export type MaintenanceItemRow = Awaited<ReturnType<ReturnType<typeof selectMaintenanceItems>['execute']>>[number]

/** Returns the maintenance items of an organization, sorted by the names of resource and item. */
export function listMaintenanceItems(db: Db, organizationId: number, filter: MaintenanceItemFilter, now: Date) {
  const { resourceIds, statuses } = filter
  let query = selectMaintenanceItems(db, organizationId).orderBy('r.name').orderBy('d.name').orderBy('d.id')
  if (resourceIds) query = query.where('d.resource_id', '=', sql<number>`any(${resourceIds}::int[])`)
  if (statuses) query = query.where(statusAt(now), 'in', [...statuses])
  return pageable(db, query)
}

/** Returns one maintenance item. */
export async function findMaintenanceItem(db: Db, organizationId: number, id: number): Promise<MaintenanceItemRow> {
  const row = await selectMaintenanceItems(db, organizationId).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw fleetErrors.noSuchMaintenanceItem()
  return row
}

/** Returns the maintenance items of an organization, or of some of its resources, in the order of their ids. */
export function findAllMaintenanceItems(
  db: Db,
  organizationId: number,
  resourceIds: readonly number[] | undefined,
): Promise<MaintenanceItemRow[]> {
  let query = selectMaintenanceItems(db, organizationId).orderBy('d.id')
  if (resourceIds) query = query.where('d.resource_id', '=', sql<number>`any(${resourceIds}::int[])`)
  return query.execute()
}

/** Returns maintenance items by id, in the order of their ids. */
export function findMaintenanceItems(
  db: Db,
  organizationId: number,
  ids: readonly number[],
): Promise<MaintenanceItemRow[]> {
  return selectMaintenanceItems(db, organizationId)
    .where('d.id', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('d.id')
    .execute()
}

/** Returns the maintenance items of a resource, in the order of their ids. */
export function findMaintenanceItemsOf(
  db: Db,
  organizationId: number,
  resourceId: number,
): Promise<MaintenanceItemRow[]> {
  return findAllMaintenanceItems(db, organizationId, [resourceId])
}

/** Returns the limits and the warnings of a row, as the functions in `maintenance-item.rules.ts` take them. */
export function dueOf({ limits, warn_days, warn_hundredths }: MaintenanceItemRow): MaintenanceDue {
  return {
    limits: limits.map((limit) => ({ ...limit, lastDoneAt: dateOf(limit.lastDoneAt), dueAt: dateOf(limit.dueAt) })),
    warnDays: warn_days,
    warnHundredths: warn_hundredths,
  }
}

/** Returns the present meters of an item's resource. */
export function metersOfRow(
  row: Pick<MaintenanceItemRow, 'hobbs_hundredths' | 'tach_hundredths' | 'landings'>,
): MeterReadings {
  return { hobbs: row.hobbs_hundredths, tach: row.tach_hundredths, landings: hundredths(row.landings * 100) }
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}

/**
 * Returns the resources of all organizations that have a maintenance item whose status differs from its
 * `notifiedStatus`.
 */
export async function findResourcesToReview(db: Db, now: Date) {
  return db
    .selectFrom('maintenance_item as d')
    .innerJoin('resource as r', (join) =>
      join.onRef('r.organization_id', '=', 'd.organization_id').onRef('r.id', '=', 'd.resource_id'),
    )
    .select(['d.organization_id as organizationId', 'd.resource_id as resourceId'])
    .distinct()
    .where(statusAt(now), '<>', sql<MaintenanceStatus>`d.notified_status`)
    .execute()
}

/** Returns the stored objects of the files of a maintenance item's completions. Leaves out deleted files. */
export function findQualificationsOf(db: Db, organizationId: number, reminderId: number) {
  return db
    .selectFrom('resource_file as f')
    .innerJoin('maintenance_completion as c', (join) =>
      join.onRef('c.organization_id', '=', 'f.organization_id').onRef('c.id', '=', 'f.completion_id'),
    )
    .select(['f.storage_key as storageKey', 'f.created_at as createdAt'])
    .where('f.organization_id', '=', organizationId)
    .where('c.reminder_id', '=', reminderId)
    .where('f.deleted_at', 'is', null)
    .execute()
}
