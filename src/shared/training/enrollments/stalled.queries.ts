import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { addDays, dayOfWeek, daysBetween, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { completing } from './enrollment.queries.ts'

/** After how many local days without a completed lesson a student is stalled, unless a reader asks for another number. */
export const STALLED_DAYS = 14

/** The local hour of the digest, on Mondays. */
const NOTIFIED_AT_HOUR = 7

/** The start of the last completed lesson of an enrollment `e` on its version `v`: signed, with a passing grade. */
const lastCompletedAt = sql`(select max(d.trained_at) ${completing} and d.signed_at is not null)`

/** The instant that the days without a lesson of an enrollment `e` on its version `v` count from. */
export const quietSince: RawBuilder<Date> = sql`coalesce(${lastCompletedAt}, e.created_at)`

/** Returns the instant before which an enrollment is quiet that has had no lesson for so many local days at `now`. */
export function quietBefore(now: Date, zone: string, days: number): Date {
  return wallToInstant(addDays(localDate(now, zone), 1 - days), 0, zone)
}

/** The digest of a zone that is due: the instant of its Monday morning, and before when its stalled students are quiet. */
export interface DueDigest {
  zone: string
  at: Date
  before: Date
}

/** SQL for the digests that are due, as `g`. */
export const mondays = (due: readonly DueDigest[]): RawBuilder<unknown> => sql`unnest(
  ${due.map(({ zone }) => zone)}::text[], ${due.map(({ at }) => at)}::timestamptz[],
  ${due.map(({ before }) => before)}::timestamptz[]) g(zone, at, before)`

/** Returns the digests of this week that are due, by the zones of organizations. One that was missed on Monday goes out later. */
export async function findDueDigests(db: Db, now: Date): Promise<DueDigest[]> {
  const { rows } = await sql<{ zone: string }>`select distinct time_zone_name as zone from organization`.execute(db)
  return rows.flatMap(({ zone }) => {
    const monday = addDays(localDate(now, zone), 1 - dayOfWeek(now, zone))
    const at = wallToInstant(monday, NOTIFIED_AT_HOUR * 60, zone)
    return at <= now ? [{ zone, at, before: quietBefore(at, zone, STALLED_DAYS) }] : []
  })
}

/** The instructor `t` of an enrollment `e` and the chief instructor of its course, when they still are instructors. */
const teachers = sql`join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
  join membership t on t.organization_id = e.organization_id and t.id in (e.instructor_id, c.chief_instructor_id)
    and t.instructor and t.removed_at is null`

/**
 * Returns who gets the digest of enrollments that were claimed: their instructors and chief instructors, but for those of enrollments that
 * were claimed before in the same week, who got it then.
 */
export async function findDigestReaders(
  db: Db,
  claimed: readonly number[],
  due: readonly DueDigest[],
): Promise<{ organizationId: number; orgUserId: number }[]> {
  const { rows } = await sql<{ organizationId: number; orgUserId: number }>`
    with told as (
      select t.organization_id, t.id, bool_and(e.id = any(${claimed}::int[])) as first
      from enrollment e ${teachers}
      join organization o on o.id = e.organization_id
      join ${mondays(due)} on g.zone = o.time_zone_name
      where e.stalled_notified_at >= g.at
      group by t.organization_id, t.id)
    select organization_id as "organizationId", id as "orgUserId" from told where first order by 1, 2`.execute(db)
  return rows
}

/** Returns the stalled students of an instructor and of the courses whose chief instructor they are, the longest first. */
export async function findStalledOf(
  db: Db,
  { organizationId, zone, now }: { organizationId: number; zone: string; now: Date },
  orgUserId: number,
): Promise<{ student: string; days: number }[]> {
  const rows = await readRows(
    db,
    sql<{ student: string; quietSince: Date }>`
    select q.search_name as student, q.quiet_since as "quietSince"
    from (select e.id, m.search_name, ${quietSince} as quiet_since
      from enrollment e ${teachers}
      join membership m on m.organization_id = e.organization_id and m.id = e.membership_id and m.removed_at is null
      join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
      where e.organization_id = ${organizationId} and e.status = 'enrolled' and t.id = ${orgUserId}) q
    where q.quiet_since < ${quietBefore(now, zone, STALLED_DAYS)}
    order by q.quiet_since, q.id`,
  )
  return rows.map(({ student, quietSince: since }) => ({ student, days: daysBetween(since, now, zone) }))
}
