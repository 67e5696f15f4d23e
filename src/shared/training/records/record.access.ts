import { LockMode } from '@mikro-orm/core'
import { fleetErrors } from '../../fleet/fleet.errors.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { isOnScale } from '../courses/grading.rules.ts'
import { findLesson, findTaskIds, type Lesson } from '../courses/syllabus.queries.ts'
import { lockEnrollmentOfRecord } from '../enrollments/enrollment.access.ts'
import { type Enrollment, type TaskGrade, TrainingRecord, TrainingTest } from '../enrollments.tables.ts'
import { isCheckInstructor } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/** Returns a record with its enrollment, with both rows locked until the commit, the enrollment first. */
export async function lockRecord(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ record: TrainingRecord; enrollment: Enrollment }> {
  const { organizationId } = actor
  const enrollment = await lockEnrollmentOfRecord(tx, actor, id)
  const record = enrollment && (await tx.em.findOne(TrainingRecord, { id, organizationId }, locked))
  if (!record) throw trainingErrors.noSuchRecord()
  return { record, enrollment }
}

/** Returns a test with its row locked until the commit. */
export async function lockTest(tx: Tx, { organizationId }: Actor, id: number): Promise<TrainingTest> {
  const test = await tx.em.findOne(TrainingTest, { id, organizationId }, locked)
  if (!test) throw trainingErrors.noSuchTest()
  return test
}

/**
 * Returns an enrollment's record to regrade; null for a null id, which creates a record. The caller holds the
 * enrollment's lock.
 */
export async function findRecordToRegrade(
  tx: Tx,
  { organizationId, id: enrollmentId }: Enrollment,
  id: number | null,
): Promise<TrainingRecord | null> {
  if (id === null) return null
  const record = await tx.em.findOne(TrainingRecord, { id, organizationId, enrollmentId })
  if (!record) throw trainingErrors.unknownRecord()
  return record
}

/**
 * Returns the lesson of a record.
 * @throws Error when there is none; a foreign key prevents that
 */
export async function lessonOf(tx: Tx, { organizationId, versionId, lessonId }: TrainingRecord): Promise<Lesson> {
  const lesson = await findLesson(tx.db, { organizationId, versionId }, lessonId)
  if (!lesson) throw new Error(`the version ${versionId} has no lesson ${lessonId}`)
  return lesson
}

/**
 * Checks that the actor may sign a stage check: the actor is a check instructor of the course and did not train the
 * student for it. That is, the actor is not the student's instructor and signed no other lesson of the stage.
 * Implements interface §Training: PUT lessons (`isStageCheck`).
 */
export async function assertIsCheckInstructor(
  tx: Tx,
  actor: Actor,
  enrollment: Enrollment,
  lesson: Lesson,
): Promise<void> {
  if (!(await isCheckInstructor(tx, actor, enrollment.courseId))) {
    throw trainingErrors.checkInstructorNeeded()
  }
  if (enrollment.instructorId === actor.orgUserId || (await trainedStage(tx, actor, enrollment, lesson))) {
    throw trainingErrors.ownStudent()
  }
}

async function trainedStage(tx: Tx, actor: Actor, enrollment: Enrollment, { stageId, id }: Lesson): Promise<boolean> {
  const signed = await tx.db
    .selectFrom('training_record as r')
    .innerJoin('syllabus_lesson as l', (join) =>
      join.onRef('l.organization_id', '=', 'r.organization_id').onRef('l.id', '=', 'r.lesson_id'),
    )
    .select('r.id')
    .where('r.organization_id', '=', actor.organizationId)
    .where('r.enrollment_id', '=', enrollment.id)
    .where('r.signed_by', '=', actor.orgUserId)
    .where('l.stage_id', '=', stageId)
    .where('l.id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  return signed !== undefined
}

/**
 * Checks that the grades are on the version's scale, and that each graded task is a task of the lesson and is graded
 * once.
 */
export async function assertFitsLesson(
  tx: Tx,
  { grade, taskGrades }: { grade?: string | null | undefined; taskGrades?: TaskGrade[] | undefined },
  lesson: Lesson,
): Promise<void> {
  const { gradingScale: scale } = lesson
  const codes = scale.map(({ code }) => code).join(', ')
  if (grade != null && !isOnScale(scale, grade)) throw trainingErrors.gradeUnknown({ grades: codes })
  if (!taskGrades?.length) return
  const tasks = await findTaskIds(tx.db, lesson)
  const seen = new Set<number>()
  for (const [index, { taskId, grade: of }] of taskGrades.entries()) {
    const path = `taskGrades.${index}`
    if (!tasks.has(taskId)) throw trainingErrors.unknownTask({ field: `${path}.taskId` })
    if (!isOnScale(scale, of)) throw trainingErrors.taskGradeUnknown({ field: `${path}.grade`, grades: codes })
    if (seen.has(taskId)) throw trainingErrors.taskGradedTwice({ field: `${path}.taskId` })
    seen.add(taskId)
  }
}

/**
 * Returns the start of a lesson's booking, or now when it starts later. Refuses a cancelled booking, and a booking on
 * which the student has no seat.
 */
export async function startOfBooking(tx: Tx, student: Enrollment, reservationId: number): Promise<Date> {
  const { organizationId, membershipId } = student
  const booking = await tx.db
    .selectFrom('reservation as r')
    .leftJoin('seat as s', (join) =>
      join
        .onRef('s.organization_id', '=', 'r.organization_id')
        .onRef('s.reservation_id', '=', 'r.id')
        .on('s.membership_id', '=', membershipId),
    )
    .select(['r.starts_at', 'r.cancelled_at', 's.id as seat_id'])
    .where('r.organization_id', '=', organizationId)
    .where('r.id', '=', reservationId)
    .limit(1)
    .executeTakeFirst()
  if (!booking) throw fleetErrors.unknownBooking({ field: 'reservationId' })
  if (booking.cancelled_at) throw trainingErrors.bookingCancelled()
  if (booking.seat_id === null) throw trainingErrors.studentNotOnBooking()
  return booking.starts_at < tx.now ? booking.starts_at : tx.now
}

/** The tolerance for a client's clock that is ahead of the server's clock: five minutes. */
const SKEW_MS = 5 * 60_000

/**
 * Checks that an instant is not in the future, with the tolerance `SKEW_MS`, because training is recorded after it took
 * place.
 */
export function assertHasHappened(instant: Date, now: Date, field: string): void {
  if (instant.getTime() > now.getTime() + SKEW_MS) throw trainingErrors.inFuture({ field })
}
