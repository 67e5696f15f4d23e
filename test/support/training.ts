import { cents } from '../../src/shared/platform/kernel/units.ts'
import type { TestApp } from './app.ts'
import type { Member, School } from './builders.ts'
import { expectOk } from './flights.ts'

/** A published course of one stage, two flights and a ground lesson, with an hours and a count requirement. */
export interface TrainingCourse {
  courseId: number
  versionId: number
  stageId: number
  /** Posts its flight time and simulator time to `hours`, and a landing to `landings`. */
  lesson: number
  secondLesson: number
  groundLesson: number
  /** A task of `lesson`. */
  task: number
  hours: number
  landings: number
}

interface CourseOptions {
  part141?: boolean
  feeCents?: number
  /** Fields of the hours requirement; by default 10.0 hours without ceilings. */
  hours?: Record<string, unknown>
  /** Fields of the first lesson. */
  lesson?: Record<string, unknown>
  publish?: boolean
}

interface Written {
  id: number
}

/** Creates a course through the API, as the admin. */
export async function buildTraining(
  api: TestApp,
  school: Pick<School, 'admin'>,
  options: CourseOptions = {},
): Promise<TrainingCourse> {
  const { admin } = school
  const course = await expectOk<{ id: number; versions: Written[] }>(api, admin, 'POST', '/training/courses', {
    name: 'Private pilot',
    regulatoryPart: options.part141 ? 'part141' : 'part61',
    enrollmentFeeCents: options.feeCents === undefined ? null : cents(options.feeCents),
    enrollmentFeeLabel: options.feeCents ? 'Books and headset' : null,
  })
  const versionId = course.versions[0]?.id ?? 0
  const put = async (part: string, body: unknown) =>
    (await expectOk<Written>(api, admin, 'PUT', `/training/versions/${versionId}/${part}`, body)).id
  const stageId = await put('stages', { name: 'Stage 1', position: 0 })
  const hours = await put('requirements', { code: 'HOURS', label: 'Flight time', minDeciHours: 100, ...options.hours })
  const landings = await put('requirements', { code: 'LANDINGS', label: 'Landings', minCount: 3 })
  const lesson = await put('lessons', {
    stageId,
    name: 'First flight',
    position: 0,
    kind: 'flight',
    credits: [
      { requirementId: hours, clock: 'flight' },
      { requirementId: hours, clock: 'simulator' },
      { requirementId: landings, count: 1 },
    ],
    ...options.lesson,
  })
  const secondLesson = await put('lessons', { stageId, name: 'Second flight', position: 1, kind: 'flight' })
  const groundLesson = await put('lessons', { stageId, name: 'Weather', position: 2, kind: 'ground' })
  const tasks = [{ name: 'Normal Takeoff and Climb', acsCode: 'PA.IV.A', standard: 'Holds the centerline' }]
  const url = `/training/versions/${versionId}/lessons/${lesson}/tasks`
  const [task] = await expectOk<Written[]>(api, admin, 'PUT', url, { tasks })
  if (options.publish !== false) await expectOk(api, admin, 'POST', `/training/versions/${versionId}/publish`, {})
  return {
    courseId: course.id,
    versionId,
    stageId,
    lesson,
    secondLesson,
    groundLesson,
    task: task?.id ?? 0,
    hours,
    landings,
  }
}

/** Enrolls a student in the course. Returns the enrollment's id. */
export async function enrol(
  api: TestApp,
  { admin }: Pick<School, 'admin'>,
  { versionId }: Pick<TrainingCourse, 'versionId'>,
  student: Member,
  extra: Record<string, unknown> = {},
): Promise<number> {
  const body = { versionId, orgUserId: student.orgUserId, ...extra }
  return (await expectOk<Written>(api, admin, 'POST', '/training/enrollments', body)).id
}

/** Grades a lesson satisfactory with 1.4 hours of flight, as the instructor. Returns the record's id. */
export async function grade(
  api: TestApp,
  by: Pick<Member, 'token'>,
  enrollmentId: number,
  lessonId: number,
  extra: Record<string, unknown> = {},
): Promise<number> {
  const body = { enrollmentId, lessonId, grade: 'S', flightDeciHours: 14, ...extra }
  return (await expectOk<Written>(api, by, 'POST', '/training/records', body)).id
}

/** Grades a lesson and signs its record. Returns the record's id. */
export async function gradeAndSign(
  api: TestApp,
  by: Pick<Member, 'token'>,
  enrollmentId: number,
  lessonId: number,
  extra: Record<string, unknown> = {},
): Promise<number> {
  const id = await grade(api, by, enrollmentId, lessonId, extra)
  await expectOk(api, by, 'POST', `/training/records/${id}/sign`, {})
  return id
}

/** The progress of an enrollment in a requirement. */
export interface StandingView {
  requirementId: number
  code: string
  credited: number
  remaining: number
  met: boolean
  disallowed: { simulator: number; transfer: number; stale: number }
}

/** Returns the progress of an enrollment in a requirement, by the requirement's code. */
export async function standing(
  api: TestApp,
  by: Pick<Member, 'token'>,
  enrollmentId: number,
  code: string,
): Promise<StandingView> {
  const detail = await expectOk<{ standing: StandingView[] }>(api, by, 'GET', `/training/enrollments/${enrollmentId}`)
  const found = detail.standing.find((one) => one.code === code)
  if (!found) throw new Error(`no requirement ${code}`)
  return found
}

/** Inserts a training record of the school's student that the instructor has signed, without notifications. */
export async function insertSignedRecord(
  api: TestApp,
  school: School,
  given: { countersigned?: boolean } = {},
): Promise<number> {
  const { rows } = await api.core.database.pool.query<{ id: number }>(
    `with course as (
       insert into training_course (organization_id, name) values ($1, 'Private pilot') returning id),
     version as (
       insert into syllabus_version (organization_id, course_id, label, grading_scale)
       select $1, id, 'Rev A', '[{"code": "S", "label": "Satisfactory", "passing": true}]' from course returning id, course_id),
     stage as (
       insert into syllabus_stage (organization_id, version_id, name, position)
       select $1, id, 'Stage 1', 0 from version returning id, version_id),
     lesson as (
       insert into syllabus_lesson (organization_id, version_id, stage_id, name, position, kind)
       select $1, version_id, id, 'Stalls', 0, 'flight' from stage returning id, version_id),
     enrolled as (
       insert into enrollment (organization_id, course_id, version_id, membership_id)
       select $1, course_id, id, $2 from version returning id, version_id)
     insert into training_record (organization_id, enrollment_id, version_id, lesson_id, grade, instructor_id, graded_by,
       trained_at, signed_at, signed_by, countersigned_at, countersigned_by)
     select $1, e.id, e.version_id, l.id, 'S', $3, $3, $4, $4, $3, $5::timestamptz, $2 from enrolled e, lesson l
     returning id`,
    [
      school.organizationId,
      school.student.orgUserId,
      school.instructor.orgUserId,
      api.clock.now,
      given.countersigned ? api.clock.now : null,
    ],
  )
  return rows[0]?.id ?? 0
}

/** Inserts a solo endorsement of the school's student by its instructor, without notifications. */
export async function insertEndorsement(
  api: TestApp,
  school: School,
  given: { expiresAt?: Date | null; recordedBy?: Member; templateCode?: string; signedAt?: Date } = {},
): Promise<number> {
  const { id } = await api.core.database.db
    .insertInto('endorsement')
    .values({
      organization_id: school.organizationId,
      membership_id: school.student.orgUserId,
      template_code: given.templateCode ?? null,
      title: 'Solo flight',
      rendered_text: 'Ready for solo.',
      expires_at: given.expiresAt ?? null,
      signed_by: school.instructor.orgUserId,
      recorded_by: given.recordedBy?.orgUserId ?? null,
      ...(given.signedAt && { signed_at: given.signedAt }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Inserts a passed knowledge test that ends at an instant. Its student is the school's, enrolled with its instructor.
 */
export async function insertKnowledgeTest(api: TestApp, school: School, expiresAt: Date): Promise<number> {
  const instructorOrgUserId = school.instructor.orgUserId
  const course = await buildTraining(api, school)
  const enrollmentId = await enrol(api, school, course, school.student, { instructorOrgUserId })
  const { id } = await api.core.database.db
    .insertInto('training_test')
    .values({
      organization_id: school.organizationId,
      membership_id: school.student.orgUserId,
      enrollment_id: enrollmentId,
      kind: 'knowledge',
      taken_at: new Date(expiresAt.getTime() - 730 * 86_400_000),
      result: 'passed',
      recorded_by: instructorOrgUserId,
      expires_at: expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Enrolls the school's student with the instructor, with a planned practical test. Returns the enrollment's id. */
export async function insertPlannedTest(api: TestApp, school: School, at: Date | null): Promise<number> {
  const instructorOrgUserId = school.instructor.orgUserId
  const id = await enrol(api, school, await buildTraining(api, school), school.student, { instructorOrgUserId })
  await api.core.database.db.updateTable('enrollment').set({ planned_test_at: at }).where('id', '=', id).execute()
  return id
}

/** Enrolls the school's student with the instructor, at an instant and without a lesson since. Returns the enrollment's id. */
export async function insertQuietEnrollment(api: TestApp, school: School, since: Date): Promise<number> {
  const id = await insertPlannedTest(api, school, null)
  await api.core.database.db.updateTable('enrollment').set({ created_at: since }).where('id', '=', id).execute()
  return id
}
