import { type RawBuilder, sql } from 'kysely'
import { isOver } from '../../dispatch/close-out.queries.ts'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Position } from '../../platform/db/keyset.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { oneOf } from '../../platform/db/read-rows.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { lacksRecord, lessonTypes } from './candidates.queries.ts'
import { completing, lessonsCompleted, lessonsOfVersion } from './enrollment.queries.ts'
import { findProgressOfMany } from './requirement-progress.queries.ts'
import { judgedAt } from './requirement-progress.rules.ts'
import { missingOf, shareOf, type WaitingFor, waitsFor } from './student-overview.rules.ts'

/**
 * The progress of a student in an open enrollment, and who must act. `deciHours` is the flight and device time of its
 * records, in tenths of hours.
 */
export interface StudentRow {
  enrollmentId: number
  student: PersonRow
  course: { id: number; name: string }
  instructorOrgUserId: number | null
  nextLesson: { id: number; name: string } | null
  lastFlownAt: Date | null
  deciHours: Tenths
  progress: number
  nextBooking: { id: number; start: Date } | null
  missing: string[]
  waitingFor: WaitingFor | null
}

interface StudentScope {
  organizationId: number
  zone: string
  /** Only the students of these instructors; undefined for all. */
  instructorOrgUserIds: readonly number[] | undefined
  now: Date
}

/** The days before now in which bookings without a record are searched. Older bookings are ignored. */
const RECORDED_WITHIN_DAYS = 90

interface StudentFacts extends Omit<StudentRow, 'progress' | 'missing' | 'waitingFor' | 'nextBooking'> {
  studentName: string
  versionId: number
  plannedTestAt: Date | null
  lessons: number
  completed: number
  nextBooking: { id: number; start: string } | null
  toSign: boolean
  unrecorded: boolean
  toCountersign: boolean
}

/** The from clause of the bookings `r` of the student of an enrollment `e`, with their seat `p`. */
const bookingsOf = sql`seat p
  join reservation r on r.organization_id = p.organization_id and r.id = p.reservation_id
  where p.organization_id = e.organization_id and p.membership_id = e.membership_id and p.side = 'students' and p.live`

/** The condition that a lesson `l` is completed in an enrollment `e` on a version `v`. */
const isCompleted = sql`exists (select ${completing} and d.lesson_id = l.id)`

function select({ organizationId, instructorOrgUserIds, now }: StudentScope): RawBuilder<StudentFacts> {
  const records = (wanted: RawBuilder<unknown>) => sql`exists (select from training_record d
    where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null and ${wanted})`
  return sql<StudentFacts>`(
    select e.id as "enrollmentId", e.version_id as "versionId", e.planned_test_at as "plannedTestAt",
      m.search_name as "studentName", ${personJson('e.membership_id')} as student,
      json_build_object('id', c.id, 'name', c.name) as course,
      e.instructor_id as "instructorOrgUserId", (select json_build_object('id', l.id, 'name', l.name)
        from syllabus_lesson l
        join syllabus_stage s on s.organization_id = l.organization_id and s.id = l.stage_id
        where l.organization_id = e.organization_id and l.version_id = e.version_id and not ${isCompleted}
        order by s.position, s.id, l.position, l.id limit 1) as "nextLesson",
      (select r.starts_at from ${bookingsOf} and p.starts_at <= ${now} and r.ramped_in_at is not null and r.type <> 'sim'
        order by p.starts_at desc limit 1) as "lastFlownAt",
      (select coalesce(sum(coalesce(d.flight_tenths, 0) + coalesce(d.simulator_tenths, 0)), 0)::int from training_record d
        where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null) as "deciHours",
      ${lessonsOfVersion} as lessons, ${lessonsCompleted} as completed, 
      (select json_build_object('id', r.id, 'start', r.starts_at) from ${bookingsOf} and p.starts_at > ${now}
        order by p.starts_at limit 1) as "nextBooking",
      ${records(sql`d.grade is not null and d.signed_at is null`)} as "toSign",
      ${records(sql`d.signed_at is not null and d.countersigned_at is null`)} as "toCountersign",
      exists (select from ${bookingsOf} and p.starts_at > ${now}::timestamptz - make_interval(days => ${RECORDED_WITHIN_DAYS})
        and p.starts_at <= ${now} and r.type in ${lessonTypes} and ${isOver(now)} and ${lacksRecord}) as unrecorded
    from enrollment e
    join membership m on m.organization_id = e.organization_id and m.id = e.membership_id
    join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
    join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id
    where e.organization_id = ${organizationId} and e.status = 'enrolled'
      ${instructorOrgUserIds ? sql`and ${oneOf(sql`e.instructor_id`, instructorOrgUserIds)}` : sql``})`
}

/**
 * Returns the open enrollments of an organization, or of one instructor, as a list source, ordered by the student's
 * name. A page of any length takes three queries. Implements interface §Training: GET /training/students.
 */
export function listStudents(db: Db, scope: StudentScope) {
  const query = db.selectFrom(select(scope).as('t')).selectAll('t').orderBy('t.studentName').orderBy('t.enrollmentId')
  const source = pageable(db, query)
  const judged = <Row extends StudentFacts>(rows: Promise<Row[]>) => withProgress(db, scope, rows)
  return {
    slice: (offset: number, limit: number) => judged(source.slice(offset, limit)),
    following: (after: Position | null, limit: number) => judged(source.following(after, limit)),
    count: source.count,
  }
}

/** Returns the rows with the fields that depend on the requirements of their courses. */
async function withProgress<Row extends StudentFacts>(
  db: Db,
  { organizationId, zone, now }: StudentScope,
  found: Promise<Row[]>,
): Promise<(Omit<Row, 'nextBooking'> & StudentRow)[]> {
  const rows = await found
  const enrollments = rows.map((row) => ({ id: row.enrollmentId, versionId: row.versionId, now: judgedAt(row, now) }))
  const progress = await findProgressOfMany(db, { organizationId, zone }, enrollments)
  return rows.map((row) => {
    const missing = missingOf(progress.get(row.enrollmentId)?.requirements ?? [])
    const { nextBooking, instructorOrgUserId, toCountersign, toSign, unrecorded } = row
    const facts = { missing, toCountersign, booked: nextBooking !== null, lessonsLeft: row.completed < row.lessons }
    return {
      ...row,
      progress: shareOf(row),
      nextBooking: nextBooking && { id: nextBooking.id, start: new Date(nextBooking.start) },
      missing,
      waitingFor: waitsFor({ ...facts, hasInstructor: instructorOrgUserId !== null, toRecord: toSign || unrecorded }),
    }
  })
}

/**
 * A member who is booked with an instructor within this many days before or after now counts as a student of the
 * instructor.
 */
const BOOKED_WITHIN_DAYS = 60

/**
 * Returns the SQL condition that a member is a student of an instructor: in an open enrollment with this instructor, or
 * booked with this instructor in the 60 days before or after now. Implements interface §Members: GET /orgUsers,
 * `instructorOrgUserId`.
 */
export function isStudentOf(
  organizationId: number,
  instructorOrgUserIds: readonly number[],
  now: Date,
): RawBuilder<boolean> {
  const days = sql`make_interval(days => ${BOOKED_WITHIN_DAYS})`
  return sql<boolean>`membership.id = any(array(
    select e.membership_id from enrollment e
      where e.organization_id = ${organizationId} and ${oneOf(sql`e.instructor_id`, instructorOrgUserIds)} and e.status = 'enrolled'
    union
    select p.membership_id from seat s
      join seat p on p.organization_id = s.organization_id and p.reservation_id = s.reservation_id
        and p.side <> 'instructors' and p.membership_id is not null
      where s.organization_id = ${organizationId} and ${oneOf(sql`s.membership_id`, instructorOrgUserIds)}
        and s.side = 'instructors' and s.live
        and s.starts_at between ${now}::timestamptz - ${days} and ${now}::timestamptz + ${days}))`
}
