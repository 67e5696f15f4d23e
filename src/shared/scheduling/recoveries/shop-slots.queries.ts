import { sql } from 'kysely'
import { typeRules } from '../../fleet/resources/reservation-types.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { isAhead } from '../at-risk/at-risk.queries.ts'
import type { TechnicianHours } from './shop-slots.rules.ts'

/** Returns whether an organization has an aircraft or simulator, of which maintenance can be booked, with this id. */
export async function isMaintained(db: Db, organizationId: number, resourceId: number): Promise<boolean> {
  const row = await db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', resourceId)
    .where('kind', 'in', [...typeRules.maintenance.resources])
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the weekly patterns of the technicians of an organization, and their absences that end after `from`. */
export async function findTechnicianHours(db: Db, organizationId: number, from: Date): Promise<TechnicianHours[]> {
  const { rows } = await sql<{ pattern: TechnicianHours['pattern']; timeOff: { start: string; end: string }[] }>`
    select coalesce((select json_agg(json_build_object('dayOfWeek', a.day_of_week, 'startMinute', a.start_minute,
        'endMinute', a.end_minute)) from availability a
        where a.organization_id = m.organization_id and a.membership_id = m.id), '[]') as pattern,
      coalesce((select json_agg(json_build_object('start', t.starts_at, 'end', t.ends_at)) from time_off t
        where t.organization_id = m.organization_id and t.membership_id = m.id and t.ends_at > ${from}), '[]') as "timeOff"
    from membership m where m.organization_id = ${organizationId} and m.technician and m.removed_at is null`.execute(db)
  return rows.map(({ pattern, timeOff }) => ({
    pattern,
    timeOff: timeOff.map(({ start, end }) => ({ start: new Date(start), end: new Date(end) })),
  }))
}

/**
 * Returns when a resource is taken by what no maintenance displaces: other maintenance, and flights that are out or under way. With
 * `exceptId`, by all but this booking.
 */
export async function findStaying(
  db: Db,
  organizationId: number,
  resourceId: number,
  { start, end }: Interval,
  now: Date,
  exceptId?: number | null,
): Promise<Interval[]> {
  const counts =
    exceptId === undefined
      ? sql`(r.type = 'maintenance' or not ${isAhead(now)})`
      : sql`r.id is distinct from ${exceptId}::int`
  const { rows } = await sql<Interval>`
    select r.starts_at as start, r.ends_at as "end" from reservation r
    where r.organization_id = ${organizationId} and r.resource_id = ${resourceId} and r.live
      and r.starts_at < ${end} and r.ends_at > ${start}
      and ${counts}`.execute(db)
  return rows
}
