import { type RawBuilder, sql } from 'kysely'
import { isOver } from '../../dispatch/close-out.queries.ts'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, oneOf, readRows } from '../../platform/db/read-rows.ts'
import { byText, byValue, columnsOf, orderOf, type Sort, type SortKeys } from '../../platform/db/sort-keys.ts'
import type { Tenths } from '../../platform/kernel/units.ts'
import { isAhead } from '../../scheduling/at-risk/at-risk.queries.ts'
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
  plannedTestAt: Date | null
  plannedApplicationAt: Date | null
}

export interface StudentScope {
  organizationId: number
  zone: string
  /** Only the students of these instructors; undefined for all. */
  instructorOrgUserIds: readonly number[] | undefined
  now: Date
}

/** The days before now in which bookings without a record are searched. Older bookings are ignored. */
const RECORDED_WITHIN_DAYS = 90

interface StudentFacts extends Omit<Placed<StudentRow>, 'progress' | 'missing' | 'waitingFor' | 'nextBooking'> {
  versionId: number
  lessons: number
  completed: number
  nextBooking: { id: number; start: string } | null
  toSign: boolean
  unrecorded: boolean
  toCountersign: boolean
}

/**
 * The from clause of the bookings `r` of the student of an enrollment `e`, with their seat `p`. Whether a booking is
 * live is asked of `r`: with `p.live` PostgreSQL may read every seat of the person from the index against double
 * bookings, which knows no order of time.
 */
export const bookingsOf = sql`seat p
  join reservation r on r.organization_id = p.organization_id and r.id = p.reservation_id
  where p.organization_id = e.organization_id and p.membership_id = e.membership_id and p.side = 'students' and r.live`

/** The condition that a lesson `l` is completed in an enrollment `e` on a version `v`. */
const isCompleted = sql`exists (select ${completing} and d.lesson_id = l.id)`

const byName = keyset('asc', ['m.search_name', 'e.id'])

/** The course, the version and the student of an enrollment `e`. */
const related = sql`join membership m on m.organization_id = e.organization_id and m.id = e.membership_id
    join training_course c on c.organization_id = e.organization_id and c.id = e.course_id
    join syllabus_version v on v.organization_id = e.organization_id and v.id = e.version_id`

/** Returns SQL for a value of the first lesson `l` of an enrollment `e` that is not completed. */
export function nextLesson(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${value} from syllabus_lesson l
    join syllabus_stage s on s.organization_id = l.organization_id and s.id = l.stage_id
    where l.organization_id = e.organization_id and l.version_id = e.version_id and not ${isCompleted}
    order by s.position, s.id, l.position, l.id limit 1)`
}

/** Returns SQL for a value of the next booking `r` of the student of an enrollment `e` that is still `booked`. */
export function nextBooking(now: Date, value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select ${value} from ${bookingsOf} and p.starts_at > ${now} and ${isAhead(now)}
    order by p.starts_at, r.id limit 1)`
}

/**
 * The latest ramp-in of a flight of the student of an enrollment `e`, among the five that were booked to start last: somebody can leave
 * early.
 */
const lastFlownAt = sql`(select max(latest.ramped_in_at) from (select r.ramped_in_at from ${bookingsOf} and r.type <> 'sim'
  and r.ramped_in_at is not null order by p.starts_at desc limit 5) latest)`

const deciHours = sql`(select coalesce(sum(coalesce(d.flight_tenths, 0) + coalesce(d.simulator_tenths, 0)), 0)::int
  from training_record d
  where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null)`

/** The fields that the requirements of a course decide. A list that is sorted by one of them is sorted in memory. */
const judged = /^(missing|waitingFor|readiness)(\.|$)/

/** Returns the sort keys of students in training, over enrollments `e` with what is `related`. */
export function studentSortKeys(now: Date): SortKeys {
  return {
    enrollmentId: byValue('e.id'),
    'student.orgUserId': byValue('e.membership_id'),
    'student.name': byText('m.search_name'),
    'course.id': byValue('e.course_id'),
    'course.name': byText('c.name'),
    instructorOrgUserId: byValue('e.instructor_id'),
    'nextLesson.id': nextLesson(sql`l.id`),
    'nextLesson.name': byText(nextLesson(sql`l.name`)),
    lastFlownAt,
    deciHours,
    plannedTestAt: byValue('e.planned_test_at'),
    progress: sql`coalesce(${lessonsCompleted} * 100 / nullif(${lessonsOfVersion}, 0), 0)`,
    'nextBooking.id': nextBooking(now, sql`r.id`),
    'nextBooking.start': nextBooking(now, sql`r.starts_at`),
  }
}

function conditions({ organizationId, instructorOrgUserIds }: StudentScope): RawBuilder<unknown> {
  return sql`e.organization_id = ${organizationId} and e.status = 'enrolled'
    ${instructorOrgUserIds ? sql`and ${oneOf(sql`e.instructor_id`, instructorOrgUserIds)}` : sql``}`
}

/**
 * Returns the open enrollments of an organization, or of some instructors, as a list source, ordered by the student's
 * name. A page of any length takes three queries. Implements interface §Training: GET /training/students.
 */
export function listStudents(db: Db, scope: StudentScope) {
  const where = conditions(scope)
  return {
    sortsBy: (path: string) => !judged.test(path),
    columns: () => columnsOf(studentSortKeys(scope.now)),
    slice: (offset: number, limit: number, sort?: Sort) => readStudents(db, scope, { where, offset, limit, sort }),
    following: (after: Position | null, limit: number) =>
      readStudents(db, scope, { where: sql`${where} and ${byName.after(after)}`, limit }),
    count: (most: number) => countUpTo(db, sql`enrollment e ${related} where ${where} order by ${byName.order}`, most),
  }
}

interface StudentPage {
  where: RawBuilder<unknown>
  limit: number
  offset?: number
  sort?: Sort | undefined
}

/** Returns a page. The limit applies before the lookups, so that they run only for the rows of the page. */
async function readStudents(
  db: Db,
  scope: StudentScope,
  { where, limit, offset = 0, sort }: StudentPage,
): Promise<Placed<StudentRow>[]> {
  const { now } = scope
  const by = sort && orderOf(studentSortKeys(now), sort)
  const order = by ? sql`${by}, ${byName.order}` : byName.order
  const records = (wanted: RawBuilder<unknown>) => sql`exists (select from training_record d
    where d.organization_id = e.organization_id and d.enrollment_id = e.id and d.amended_at is null and ${wanted})`
  const rows = await readRows(
    db,
    sql<StudentFacts>`
    select e.id as "enrollmentId", e.version_id as "versionId", e.planned_test_at as "plannedTestAt",
      e.planned_application_at as "plannedApplicationAt",
      ${byName.position} as "cursorPosition", ${personJson('e.membership_id')} as student,
      json_build_object('id', c.id, 'name', c.name) as course, e.instructor_id as "instructorOrgUserId",
      ${nextLesson(sql`json_build_object('id', l.id, 'name', l.name)`)} as "nextLesson",
      ${lastFlownAt} as "lastFlownAt", ${deciHours} as "deciHours",
      ${lessonsOfVersion} as lessons, ${lessonsCompleted} as completed,
      ${nextBooking(now, sql`json_build_object('id', r.id, 'start', r.starts_at)`)} as "nextBooking",
      ${records(sql`d.grade is not null and d.signed_at is null`)} as "toSign",
      ${records(sql`d.signed_at is not null and d.countersigned_at is null`)} as "toCountersign",
      exists (select from ${bookingsOf} and p.starts_at > ${now}::timestamptz - make_interval(days => ${RECORDED_WITHIN_DAYS})
        and p.starts_at <= ${now} and r.type in ${lessonTypes} and ${isOver(now)} and ${lacksRecord}) as unrecorded
    from (select e.*, row_number() over (order by ${order}) as place from enrollment e ${related} where ${where}
      order by ${order} limit ${limit} offset ${offset}) e
    ${related}
    order by e.place`,
  )
  return withProgress(db, scope, rows)
}

/** Returns the rows with the fields that depend on the requirements of their courses. */
async function withProgress(
  db: Db,
  { organizationId, zone, now }: StudentScope,
  rows: readonly StudentFacts[],
): Promise<Placed<StudentRow>[]> {
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
