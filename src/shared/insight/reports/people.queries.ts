import { type RawBuilder, sql } from 'kysely'
import { asTenths } from '../../platform/db/tenths.ts'
import type { Cents, Tenths } from '../../platform/kernel/units.ts'
import { lessonsCompleted, lessonsOfVersion } from '../../training/enrollments/enrollment.queries.ts'
import { flownIn, type ReportScope } from './flown.queries.ts'
import { paidLinesOf } from './paid-lines.queries.ts'

/** The work of one instructor in a window. Hours are tenths, money cents. */
export interface InstructorRow {
  orgUserId: number
  name: string
  lessons: number
  flightDeciHours: Tenths
  simulatorDeciHours: Tenths
  groundDeciHours: Tenths
  students: number
  revenueCents: Cents
}

/** The kinds of invoice lines that count as an instructor's revenue. */
const earnedByInstructor = ['flight_instruction', 'sim_instruction', 'ground_instruction']

/** The tenths of hours of lessons `f`, by kind. A simulator lesson without a simulator counts with its briefing. */
const hours = {
  flight: asTenths(sql`sum(f.hobbs) filter (where f.type <> 'sim')`),
  sim: sql`${asTenths(sql`sum(f.hobbs) filter (where f.type = 'sim')`)}
    + coalesce(sum(f.briefing) filter (where f.type = 'sim' and f.resource_id is null), 0)::int`,
  ground: sql`coalesce(sum(f.briefing) filter (where f.type <> 'sim' or f.resource_id is not null), 0)::int`,
}

/**
 * Selects the work of every instructor in a window, ordered by name: present instructors, and others who taught in the
 * window. A student counts once per instructor. Implements interface §Reports.
 */
export function selectInstructors(scope: ReportScope): RawBuilder<InstructorRow> {
  const { organizationId } = scope
  return sql<InstructorRow>`
    with flown as materialized (select f.*, s.membership_id as instructor_id
      from ${flownIn(scope)} f
      join seat s on s.reservation_id = f.id and s.organization_id = ${organizationId} and s.side = 'instructors'),
    taught as (select f.instructor_id, count(*)::int as lessons, ${hours.flight} as flight, ${hours.sim} as sim,
        ${hours.ground} as ground
      from flown f group by f.instructor_id),
    pupils as (select f.instructor_id, count(distinct s.membership_id)::int as students
      from flown f
      join seat s on s.reservation_id = f.id and s.organization_id = ${organizationId} and s.side = 'students'
      group by f.instructor_id),
    earned as (select f.instructor_id, sum(p.net) as cents
      from ${paidLinesOf(sql`flown`, organizationId, earnedByInstructor)} p
      join flown f on f.id = p.flight_id group by f.instructor_id)
    select m.id as "orgUserId", m.search_name as name, coalesce(t.lessons, 0) as lessons, coalesce(t.flight, 0) as "flightDeciHours",
      coalesce(t.sim, 0) as "simulatorDeciHours", coalesce(t.ground, 0) as "groundDeciHours",
      coalesce(p.students, 0) as students, coalesce(e.cents, 0)::bigint as "revenueCents"
    from membership m
    left join taught t on t.instructor_id = m.id
    left join pupils p on p.instructor_id = m.id
    left join earned e on e.instructor_id = m.id
    where m.organization_id = ${organizationId} and m.id in (
      select n.id from membership n where n.organization_id = ${organizationId} and n.instructor and n.removed_at is null
      union select instructor_id from taught)
    order by m.search_name collate natural_order, m.id`
}

/** The training of one student: the lessons in a window, and the progress in the newest open enrollment. */
export interface StudentRow {
  orgUserId: number
  name: string
  lessons: number
  flightDeciHours: Tenths
  simulatorDeciHours: Tenths
  groundDeciHours: Tenths
  lastFlightAt: Date | null
  course: string | null
  enrolledAt: Date | null
  targetDays: number | null
  lessonsCompleted: number | null
  lessonsInCourse: number | null
}

/**
 * Selects the training of every student, ordered by name: present students, and others who had a lesson in the window.
 * The last flight can be outside the window and in any seat. Implements interface §Reports, GET /reports/students.
 */
export function selectStudents(scope: ReportScope): RawBuilder<StudentRow> {
  const { organizationId } = scope
  return sql<StudentRow>`
    with trained as (select s.membership_id, count(*)::int as lessons, ${hours.flight} as flight, ${hours.sim} as sim,
        ${hours.ground} as ground
      from ${flownIn(scope)} f
      join seat s on s.reservation_id = f.id and s.organization_id = ${organizationId} and s.side = 'students'
      group by s.membership_id)
    select m.id as "orgUserId", m.search_name as name, coalesce(t.lessons, 0) as lessons, coalesce(t.flight, 0) as "flightDeciHours",
      coalesce(t.sim, 0) as "simulatorDeciHours", coalesce(t.ground, 0) as "groundDeciHours",
      last.flown_at as "lastFlightAt", en.course, en.created_at as "enrolledAt", en.target_days as "targetDays",
      en.completed as "lessonsCompleted", en.lessons as "lessonsInCourse"
    from membership m
    left join trained t on t.membership_id = m.id
    left join lateral (
      select least(r.ends_at, r.ramped_in_at) as flown_at
      from seat s
      join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
      where s.organization_id = m.organization_id and s.membership_id = m.id and r.live
        and r.ramped_in_at is not null and r.type <> 'sim'
      order by s.starts_at desc limit 1) last on true
    left join (
      select e.membership_id, c.name as course, e.created_at, c.target_days, ${lessonsCompleted} as completed,
        ${lessonsOfVersion} as lessons
      from (select distinct on (membership_id) * from enrollment
        where organization_id = ${organizationId} and status = 'enrolled' order by membership_id, id desc) e
      join training_course c on c.organization_id = ${organizationId} and c.id = e.course_id
      join syllabus_version v on v.organization_id = ${organizationId} and v.id = e.version_id) en
      on en.membership_id = m.id
    where m.organization_id = ${organizationId}
      and ((m.student and m.removed_at is null) or t.membership_id is not null)
    order by m.search_name collate natural_order, m.id`
}
