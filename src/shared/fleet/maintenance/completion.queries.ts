import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import type { Hundredths } from '../../platform/kernel/units.ts'
import { hundredths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { MeterReadings } from './maintenance-item.rules.ts'

/** Returns the completions of a maintenance item, latest first, with the member who recorded each, and its reversal. */
export function listCompletions(db: Db, organizationId: number, reminderId: number) {
  return pageable(
    db,
    selectCompletions(db, organizationId)
      .where('c.reminder_id', '=', reminderId)
      .orderBy('c.done_at', 'desc')
      .orderBy('c.id', 'desc'),
  )
}

export type CompletionRow = Awaited<ReturnType<ReturnType<typeof listCompletions>['slice']>>[number]

function selectCompletions(db: Db, organizationId: number) {
  return db
    .selectFrom('maintenance_completion as c')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'c.organization_id').onRef('m.id', '=', 'c.membership_id'),
    )
    .leftJoin('maintenance_item as by', (join) =>
      join.onRef('by.organization_id', '=', 'c.organization_id').onRef('by.id', '=', 'c.satisfied_by_id'),
    )
    .leftJoin('maintenance_reversal as u', (join) =>
      join.onRef('u.organization_id', '=', 'c.organization_id').onRef('u.completion_id', '=', 'c.id'),
    )
    .leftJoin('membership as um', (join) =>
      join.onRef('um.organization_id', '=', 'u.organization_id').onRef('um.id', '=', 'u.membership_id'),
    )
    .selectAll('c')
    .select([
      'm.search_name as by_name',
      'by.name as satisfied_by_name',
      'u.created_at as undone_at',
      'u.membership_id as undone_by',
      'um.search_name as undone_by_name',
      'u.reason as undone_because',
    ])
    .where('c.organization_id', '=', organizationId)
}

/** Returns the undone completions of a resource, the latest reversal first, at most `most`. */
export function findUndone(db: Db, organizationId: number, resourceId: number, most: number) {
  return selectCompletions(db, organizationId)
    .innerJoin('maintenance_item as d', (join) =>
      join.onRef('d.organization_id', '=', 'c.organization_id').onRef('d.id', '=', 'c.reminder_id'),
    )
    .select('d.name as item')
    .where('d.resource_id', '=', resourceId)
    .where('u.id', 'is not', null)
    .orderBy('u.id', 'desc')
    .limit(most)
    .execute()
}

/**
 * Returns the readings of the last completion of a maintenance item that was not undone, in hundredths. A meter that was replaced since
 * then is left out. Empty when there is none.
 */
export async function findLastReadings(
  db: Db,
  organizationId: number,
  reminderId: number,
): Promise<Partial<MeterReadings>> {
  const unless = (meter: 'hobbs' | 'tach', column: 'hobbs_hundredths' | 'tach_hundredths') =>
    sql<Hundredths | null>`(case when not exists (select from meter_change x where x.organization_id = d.organization_id
      and x.resource_id = d.resource_id and x.meter = ${meter} and x.created_at > c.done_at) then ${sql.ref(`c.${column}`)} end)`
  const last = await db
    .selectFrom('maintenance_completion as c')
    .innerJoin('maintenance_item as d', (join) =>
      join.onRef('d.organization_id', '=', 'c.organization_id').onRef('d.id', '=', 'c.reminder_id'),
    )
    .select([
      unless('hobbs', 'hobbs_hundredths').as('hobbs'),
      unless('tach', 'tach_hundredths').as('tach'),
      'c.landings',
    ])
    .where('c.organization_id', '=', organizationId)
    .where('c.reminder_id', '=', reminderId)
    .where(isLive)
    .orderBy('c.done_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return {}
  const { landings, ...meters } = last
  return { ...meters, landings: landings === null ? null : hundredths(landings * 100) }
}

/** SQL for whether completion `c` was not undone. */
const isLive = sql<boolean>`not exists (select from maintenance_reversal u
  where u.organization_id = c.organization_id and u.completion_id = c.id)`

/** Returns completions by id, with what decides whether each can be undone. */
export function findCompletions(db: Db, organizationId: number, ids: readonly number[]) {
  return db
    .selectFrom('maintenance_completion as c')
    .innerJoin('maintenance_item as d', (join) =>
      join.onRef('d.organization_id', '=', 'c.organization_id').onRef('d.id', '=', 'c.reminder_id'),
    )
    .leftJoin('maintenance_item as by', (join) =>
      join.onRef('by.organization_id', '=', 'c.organization_id').onRef('by.id', '=', 'c.satisfied_by_id'),
    )
    .select([
      'c.id',
      'c.reminder_id as reminderId',
      'd.name as item',
      'by.name as satisfiedBy',
      'c.done_at as doneAt',
      'c.created_at as recordedAt',
      'c.before',
      sql<boolean>`not (${isLive})`.as('isReversed'),
      sql<boolean>`not exists (select from maintenance_completion l where l.organization_id = c.organization_id
        and l.reminder_id = c.reminder_id and l.id > c.id and not exists (select from maintenance_reversal u
          where u.organization_id = l.organization_id and u.completion_id = l.id))`.as('isLatest'),
    ])
    .where('c.organization_id', '=', organizationId)
    .where('c.id', '=', sql<number>`any(${ids}::int[])`)
    .orderBy('c.id')
    .execute()
}

/** Returns one of `findCompletions`. */
export async function findCompletion(db: Db, organizationId: number, id: number) {
  const [completion] = await findCompletions(db, organizationId, [id])
  if (!completion) throw fleetErrors.noSuchCompletion()
  return completion
}
