import { sql } from 'kysely'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import { PLANNED_AT_EACH_RUN } from '../../platform/db/auto-prepare.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { oneOf } from '../../platform/db/read-rows.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { PatternItem } from './availability.rules.ts'

/**
 * Returns a member's weekly pattern, ordered by day and start minute.
 * Implements interface §Members, GET /users/availability.
 */
export async function findAvailability(db: Db, organizationId: number, orgUserId: number): Promise<PatternItem[]> {
  return db
    .selectFrom('availability')
    .select(['day_of_week as dayOfWeek', 'start_minute as startMinute', 'end_minute as endMinute'])
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .orderBy('day_of_week')
    .orderBy('start_minute')
    .execute()
}

/**
 * Filters absences: `orgUserIds` selects members, `from` those that end after it, `to` those that start before it.
 */
export interface TimeOffFilter {
  orgUserIds?: readonly number[] | undefined
  from?: Date | undefined
  to?: Date | undefined
}

function selectTimeOff(db: Db, organizationId: number) {
  return db
    .selectFrom('time_off')
    .innerJoin('membership', 'membership.id', 'time_off.membership_id')
    .selectAll('time_off')
    .select('membership.search_name as name')
    .where('time_off.organization_id', '=', organizationId)
    .where('membership.removed_at', 'is', null)
    .orderBy('time_off.starts_at')
    .orderBy('time_off.id')
}

export type TimeOffRow = Awaited<ReturnType<ReturnType<typeof selectTimeOff>['execute']>>[number]

/** Returns the sort keys of a list of absences. A reason that the reader may not see sorts as null. */
export function timeOffSortKeys(reader: Actor): SortKeys {
  const reason = sql`case when ${is(reader, deskStaff)} or time_off.membership_id = ${reader.orgUserId}
    then time_off.reason end`
  return {
    id: byValue('time_off.id'),
    orgUserId: byValue('time_off.membership_id'),
    name: byText('membership.search_name'),
    start: byValue('time_off.starts_at'),
    end: byValue('time_off.ends_at'),
    reason: byText(reason),
    createdAt: byValue('time_off.created_at'),
    updatedAt: byValue('time_off.updated_at'),
  }
}

/** Lists the absences of present members, sorted by start. */
export function listTimeOff(db: Db, reader: Actor, { orgUserIds, from, to }: TimeOffFilter) {
  return pageable(
    db,
    selectTimeOff(db, reader.organizationId)
      .$if(orgUserIds !== undefined, (query) => query.where(oneOf(sql`time_off.membership_id`, orgUserIds ?? [])))
      .$if(from !== undefined, (query) => query.where('time_off.ends_at', '>', from ?? new Date(0)))
      .$if(to !== undefined, (query) => query.where('time_off.starts_at', '<', to ?? new Date(0)))
      .$if(from !== undefined || to !== undefined, (query) => query.modifyEnd(PLANNED_AT_EACH_RUN)),
    () => timeOffSortKeys(reader),
  )
}

/** Returns an absence that the same request has written. */
export function findTimeOff(db: Db, organizationId: number, id: number): Promise<TimeOffRow> {
  return selectTimeOff(db, organizationId).where('time_off.id', '=', id).executeTakeFirstOrThrow()
}

/** Returns the orgUserId of the member whose absence has this id. */
export async function findAbsentMember(db: Db, organizationId: number, id: number): Promise<number> {
  const row = await db
    .selectFrom('time_off')
    .select('membership_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row.membership_id
}
