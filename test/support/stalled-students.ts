import { sql } from 'kysely'
import type { TestApp } from './app.ts'
import { buildMember, type School, writeSettings } from './builders.ts'
import { expectOk } from './flights.ts'
import { buildTraining, type TrainingCourse } from './training.ts'

/** A student who has been enrolled since 31 October without a lesson, with a booking ahead. */
export interface Quiet {
  orgUserId: number
  enrollmentId: number
  course: TrainingCourse
}

/** A cause as the report has it, with the day of its fact. */
export interface Cause {
  cause: string
  since: string | null
}

/** Facts that are a cause, written as the use cases write them. */
export interface Fact {
  /** Whether the next lesson is a solo flight. */
  solo?: true
  write(student: Quiet): Promise<Cause>
}

/** The school of stalled students: two courses, of which one begins with a solo flight, and instructors who teach no more. */
export interface World {
  api: TestApp
  school: School
  dual: TrainingCourse
  solo: TrainingCourse
  medicalId: number
  goneId: number
  noInstructorId: number
  bookings: number
}

/** Noon of a day of 2026. */
export const at = (day: string) => new Date(`2026-${day}T12:00:00Z`)

/** Builds the school. Bookings need 100.00 less than nothing on the ledger. */
export async function buildWorld(api: TestApp, school: School): Promise<World> {
  const { db } = api.core.database
  const { organizationId: organization_id } = school
  await writeSettings(api, organization_id, {
    minimumBalanceCents: -10_000,
    rules: { minimum_balance: { enforcement: 'block' } },
  })
  const dual = await buildTraining(api, school)
  const solo = await buildTraining(api, school, { publish: false })
  await db
    .insertInto('syllabus_credit')
    .values({
      ...{ organization_id, version_id: solo.versionId, lesson_id: solo.lesson },
      ...{ requirement_id: solo.hours, clock: 'solo' as const },
    })
    .execute()
  await expectOk(api, school.admin, 'POST', `/training/versions/${solo.versionId}/publish`, {})
  const gone = await buildMember(api, organization_id, ['instructor'])
  await db
    .updateTable('membership')
    .set({ removed_at: at('11-09') })
    .where('id', '=', gone.orgUserId)
    .execute()
  const { rows } = await sql<{ id: number }>`insert into currency (organization_id, name, kind, privilege)
    values (${organization_id}, 'Medical', 'medical', 'private') returning id`.execute(db)
  const medicalId = rows[0]!.id
  const base = { api, school, dual, solo, medicalId, goneId: gone.orgUserId, bookings: 0 }
  return { ...base, noInstructorId: school.dispatcher.orgUserId }
}

/** Inserts a student with the facts, of which the first is the cause. Returns the enrollment and what the report has of it. */
export async function insertStalled(world: World, facts: readonly Fact[]): Promise<Cause & { enrollmentId: number }> {
  const { api, school, medicalId } = world
  const { db } = api.core.database
  const { organizationId: organization_id } = school
  const isSolo = facts.some((fact) => fact.solo)
  const course = isSolo ? world.solo : world.dual
  const { id: orgUserId } = await db
    .insertInto('membership')
    .values({ organization_id, search_name: `Student ${world.bookings}`, student: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: enrollmentId } = await db
    .insertInto('enrollment')
    .values({
      ...{ organization_id, course_id: course.courseId, version_id: course.versionId, membership_id: orgUserId },
      ...{ instructor_id: school.instructor.orgUserId, created_at: at('10-31') },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const student = { orgUserId, enrollmentId, course }
  await book(world, student, at('12-01'))
  await book(world, student, at('11-06'))
  const recorded_by = school.instructor.orgUserId
  await db
    .insertInto('currency_record')
    .values({
      ...{ organization_id, currency_id: medicalId, membership_id: orgUserId, recorded_by },
      ...{ completed_at: at('06-01'), medical_class: 'third' as const },
    })
    .execute()
  const causes: Cause[] = []
  for (const fact of facts) causes.push(await fact.write(student))
  return { enrollmentId, ...causes[0]! }
}

/** Inserts a ground lesson of the student, which no other booking bars. */
export async function book(
  world: World,
  { orgUserId }: Quiet,
  starts: Date,
  cancelled?: { category: string; at: Date },
) {
  const { api, school } = world
  const { db } = api.core.database
  const { organizationId: organization_id } = school
  world.bookings += 1
  const time = { starts_at: starts, ends_at: new Date(starts.getTime() + 3_600_000), live: !cancelled }
  const { id: reservation_id } = await db
    .insertInto('reservation')
    .values({
      ...{ organization_id, title: 'Lesson', type: 'ground' as const, time_zone_name: 'UTC', ...time },
      ...{ created_by: school.dispatcher.orgUserId, cancelled_at: cancelled?.at ?? null },
      cancellation_category: cancelled?.category ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const seat = { organization_id, reservation_id, side: 'students' as const, position: 0, membership_id: orgUserId }
  await db
    .insertInto('seat')
    .values({ ...seat, ...time })
    .execute()
}
