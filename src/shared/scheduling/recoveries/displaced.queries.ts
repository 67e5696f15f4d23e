import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isAhead } from '../at-risk/at-risk.queries.ts'
import { isOfPlace } from '../closures/closure.queries.ts'
import type { ResourceChoice } from './consent.rules.ts'
import type { RecoveryToPlan } from './recovery.types.ts'

/** A booking that a cause may take, and what of the cause names it. */
export interface TakenBooking {
  id: number
  byResource: boolean
  byOther: boolean
}

/**
 * Returns the bookings ahead that a cause names, at most `most` by start: of its resources and instructors in the window, under its
 * closure, or named themselves. Maintenance and bookings that are ramped out stay. Implements interface §Recovery.
 */
export async function findTaken(
  db: Db,
  { organizationId, cause, start, end }: Omit<RecoveryToPlan, 'operationId' | 'reach'>,
  now: Date,
  most: number,
): Promise<TakenBooking[]> {
  const { resourceIds = [], instructorOrgUserIds = [], closureId = 0, reservationIds = [] } = cause
  const inWindow = sql`r.starts_at < ${end} and r.ends_at > ${start}`
  const { rows } = await sql<TakenBooking>`
    select taken.id, taken."byResource", taken."byOther" from (
      select r.id, r.starts_at,
        coalesce(${inWindow} and r.resource_id = any(${resourceIds}::int[]), false) as "byResource",
        r.id = any(${reservationIds}::int[])
          or ${inWindow} and exists (select from seat s
            where s.organization_id = r.organization_id and s.reservation_id = r.id and s.side = 'instructors'
              and s.membership_id = any(${instructorOrgUserIds}::int[]))
          or exists (select from closure c
            where c.organization_id = r.organization_id and c.id = ${closureId}
              and c.starts_at < r.ends_at and c.ends_at > r.starts_at and ${isOfPlace}) as "byOther"
      from reservation r
      left join resource x on x.organization_id = r.organization_id and x.id = r.resource_id
      where r.organization_id = ${organizationId} and r.type <> 'maintenance' and ${isAhead(now)}) taken
    where taken."byResource" or taken."byOther"
    order by taken.starts_at, taken.id limit ${most}`.execute(db)
  return rows
}

/** Returns which of these bookings are not ahead: cancelled, begun or over. */
export async function findOver(
  db: Db,
  organizationId: number,
  ids: readonly number[],
  now: Date,
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`
    select r.id from reservation r
    where r.organization_id = ${organizationId} and r.id = any(${ids}::int[]) and not (${isAhead(now)})`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** Returns the resources of an organization that a plan may choose, by name. */
export async function findResourceChoices(db: Db, organizationId: number): Promise<ResourceChoice[]> {
  const rows = await db
    .selectFrom('resource')
    .select(['id', 'kind', 'name', 'pool', 'make', 'model'])
    .where('organization_id', '=', organizationId)
    .orderBy('name')
    .orderBy('id')
    .execute()
  return rows.map(({ pool = null, make = null, model = null, ...rest }) => ({ ...rest, pool, make, model }))
}

/** What decides the points of a booking, and who else teaches its course. */
export interface BookingWorth {
  id: number
  beforeTest: boolean
  longAgo: boolean
  /** Who instructs an open enrollment of its course, or signed a record in it within 12 months. */
  courseInstructorIds: number[]
}

/** Returns the worth of bookings. Whoever leads a booking and has never flown has not flown for long. Implements interface §Recovery. */
export async function findWorth(
  db: Db,
  organizationId: number,
  now: Date,
  reservationIds: readonly number[],
): Promise<BookingWorth[]> {
  const { rows } = await sql<BookingWorth>`
    with wanted as materialized (
      select r.id, r.starts_at, r.type from reservation r
      where r.organization_id = ${organizationId} and r.id = any(${reservationIds}::int[])),
    leader as materialized (
      select distinct on (s.reservation_id) s.reservation_id, s.membership_id
      from seat s
      where s.organization_id = ${organizationId} and s.reservation_id = any(${reservationIds}::int[])
        and s.side in ('students', 'renters', 'pilots') and s.membership_id is not null
      order by s.reservation_id, s.position),
    course as materialized (
      select l.reservation_id, e.course_id, e.planned_test_at
      from leader l
      join enrollment e on e.organization_id = ${organizationId} and e.membership_id = l.membership_id
        and e.status = 'enrolled')
    select w.id,
      exists (select from planned_lesson pl
          join syllabus_lesson l on l.organization_id = pl.organization_id and l.version_id = pl.version_id
            and l.id = pl.lesson_id
          where pl.organization_id = ${organizationId} and pl.reservation_id = w.id and l.is_stage_check)
        or exists (select from course c where c.reservation_id = w.id
          and c.planned_test_at between w.starts_at and w.starts_at + interval '14 days') as "beforeTest",
      exists (select from leader l where l.reservation_id = w.id
        and not exists (select from seat s
          join reservation f on f.organization_id = s.organization_id and f.id = s.reservation_id
          where s.organization_id = ${organizationId} and s.membership_id = l.membership_id
            and s.starts_at > ${now}::timestamptz - interval '60 days'
            and f.ramped_in_at > ${now}::timestamptz - interval '10 days')) as "longAgo",
      coalesce((select json_agg(distinct t.id) from (
        select e.instructor_id as id from course c
        join enrollment e on e.organization_id = ${organizationId} and e.course_id = c.course_id and e.status = 'enrolled'
        where c.reservation_id = w.id and e.instructor_id is not null
        union
        select n.signed_by from course c
        join enrollment e on e.organization_id = ${organizationId} and e.course_id = c.course_id
        join training_record n on n.organization_id = ${organizationId} and n.enrollment_id = e.id
        where c.reservation_id = w.id and n.signed_by is not null and n.trained_at > ${now}::timestamptz - interval '12 months') t), '[]')
        as "courseInstructorIds"
    from wanted w`.execute(db)
  return rows
}
