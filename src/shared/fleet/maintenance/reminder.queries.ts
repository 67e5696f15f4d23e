import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { ReminderStatus } from './reminder.rules.ts'

/** The filter of a list of maintenance items. */
export interface ReminderFilter {
  resourceIds?: number[] | undefined
  statuses?: readonly ReminderStatus[] | undefined
}

/**
 * The same rule as `reminderStatus`, in SQL, over `d` (the item) and `r` (its resource), so that a query can filter by
 * it.
 */
export function statusAt(now: Date): RawBuilder<ReminderStatus> {
  const meter = sql`(case d.basis when 'hobbs' then r.hobbs_hundredths when 'tach' then r.tach_hundredths end)`
  return sql<ReminderStatus>`(case
    when d.due_at < ${now}::timestamptz or d.due_hundredths <= ${meter} then 'overdue'
    when d.due_at - d.warn_days * interval '24 hours' <= ${now}::timestamptz
      or d.due_hundredths - d.warn_hundredths <= ${meter} then 'due_soon'
    else 'ok' end)`
}

function selectReminders(db: Db, organizationId: number) {
  return db
    .selectFrom('maintenance_reminder as d')
    .innerJoin('resource as r', (join) =>
      join.onRef('r.organization_id', '=', 'd.organization_id').onRef('r.id', '=', 'd.resource_id'),
    )
    .innerJoin('location as l', (join) =>
      join.onRef('l.organization_id', '=', 'r.organization_id').onRef('l.id', '=', 'r.location_id'),
    )
    .selectAll('d')
    .select(['r.name as resource_name', 'r.hobbs_hundredths', 'r.tach_hundredths', 'l.time_zone_name as zone'])
    .where('d.organization_id', '=', organizationId)
}

export type ReminderRow = Awaited<ReturnType<ReturnType<typeof selectReminders>['execute']>>[number]

/** Returns the maintenance items of an organization, by resource and name. */
export function listReminders(db: Db, organizationId: number, filter: ReminderFilter, now: Date) {
  const { resourceIds, statuses } = filter
  let query = selectReminders(db, organizationId).orderBy('r.name').orderBy('d.name').orderBy('d.id')
  if (resourceIds) query = query.where('d.resource_id', '=', sql<number>`any(${resourceIds}::int[])`)
  if (statuses) query = query.where(statusAt(now), 'in', [...statuses])
  return pageable(db, query)
}

/**
 * Returns one maintenance item.
 * @throws NotFound when the organization has none with this id.
 */
export async function findReminder(db: Db, organizationId: number, id: number): Promise<ReminderRow> {
  const row = await selectReminders(db, organizationId).where('d.id', '=', id).executeTakeFirst()
  if (!row) throw fleetErrors.noSuchReminder()
  return row
}

/** Returns the grounding maintenance items of a resource. */
export function findGroundingReminders(db: Db, organizationId: number, resourceId: number): Promise<ReminderRow[]> {
  return selectReminders(db, organizationId)
    .where('d.resource_id', '=', resourceId)
    .where('d.grounding', '=', true)
    .orderBy('d.id')
    .execute()
}

/** Converts a row to the input of the due date rules. */
export function dueOf(row: Pick<ReminderRow, 'basis' | 'due_at' | 'due_hundredths' | 'warn_days' | 'warn_hundredths'>) {
  return {
    basis: row.basis,
    dueAt: row.due_at,
    dueHundredths: row.due_hundredths,
    warnDays: row.warn_days,
    warnHundredths: row.warn_hundredths,
  }
}

/**
 * Returns the resources with a maintenance item whose status differs from its last notification, over all
 * organizations.
 */
export async function findResourcesToReview(db: Db, now: Date) {
  return db
    .selectFrom('maintenance_reminder as d')
    .innerJoin('resource as r', (join) =>
      join.onRef('r.organization_id', '=', 'd.organization_id').onRef('r.id', '=', 'd.resource_id'),
    )
    .select(['d.organization_id as organizationId', 'd.resource_id as resourceId'])
    .distinct()
    .where(statusAt(now), '<>', sql<ReminderStatus>`d.told_status`)
    .execute()
}

/** Returns the completions of a maintenance item, latest first, with the member who recorded each. */
export function listCompletions(db: Db, organizationId: number, reminderId: number) {
  return pageable(
    db,
    db
      .selectFrom('maintenance_completion as c')
      .innerJoin('membership as m', (join) =>
        join.onRef('m.organization_id', '=', 'c.organization_id').onRef('m.id', '=', 'c.membership_id'),
      )
      .innerJoin('account as a', 'a.id', 'm.account_id')
      .selectAll('c')
      .select('a.name as by_name')
      .where('c.organization_id', '=', organizationId)
      .where('c.reminder_id', '=', reminderId)
      .orderBy('c.done_at', 'desc')
      .orderBy('c.id', 'desc'),
  )
}

export type CompletionRow = Awaited<ReturnType<ReturnType<typeof listCompletions>['slice']>>[number]
