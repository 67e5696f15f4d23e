import { assertIsMember } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { formatTenths } from '../../platform/kernel/hours.ts'
import { findLesson, type Lesson } from '../courses/syllabus.queries.ts'
import { assertAllowsChange, lockNamedEnrollment } from '../enrollments/enrollment.access.ts'
import { findLessonsInOrder, findProgress } from '../enrollments/progress.queries.ts'
import { outOfOrderWarning, skippedBefore } from '../enrollments/progress.rules.ts'
import { type Enrollment, type TaskGrade, TrainingRecord } from '../enrollments.tables.ts'
import { assertGrades, assertIsNotOneself } from '../grants/grant.access.ts'
import { graders } from '../grants/grants.rules.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { findFlownLesson, sumRecordedTimes } from './flown-lesson.queries.ts'
import { assertFitsLesson, assertHasHappened, findRecordToRegrade, startOfBooking } from './record.access.ts'
import { recordStatus, recordTransitions } from './record.states.ts'
import { figuresOf, type GivenFigures, mismatches, prefilled } from './record-figures.rules.ts'

export interface GradedLesson {
  enrollmentId: number
  lessonId: number
  /** Null creates a record. */
  recordId: number | null
  grade?: string | null | undefined
  notes?: string | null | undefined
  /** An absent figure keeps its stored value; without one, it is taken from the booking. */
  figures: GivenFigures
  taskGrades?: TaskGrade[] | undefined
  reservationId?: number | null | undefined
  instructorOrgUserId?: number | undefined
  occurredAt?: Date | undefined
}

/**
 * Creates the record of a lesson, or changes the given fields of a record that is not signed. A lesson can have several
 * records. Times that are neither given nor stored are taken from the meters of the booking. Returns warnings: one for
 * a Part 141 lesson that is out of order, and one for each time that differs from the booking by more than 0.2 hours.
 * Implements interface §Training record and ledger: POST /training/records.
 */
export async function gradeLesson(
  tx: Tx,
  actor: Actor,
  input: GradedLesson,
): Promise<{ id: number; warnings: string[] }> {
  assertGrades(actor)
  const { organizationId } = actor
  const enrollment = await lockNamedEnrollment(tx, actor, input.enrollmentId)
  assertIsNotOneself(actor, enrollment.membershipId)
  const { versionId, id: enrollmentId } = enrollment
  const stored = await findRecordToRegrade(tx, enrollment, input.recordId)
  const lesson = await findLesson(tx.db, { organizationId, versionId }, input.lessonId)
  if (!lesson) throw trainingErrors.lessonNotInSyllabus()
  await assertFitsLesson(tx, input, lesson)
  if (stored) assertTransition(recordTransitions, recordStatus(stored), 'regrade')
  assertAllowsChange(tx, actor, enrollment, stored ? 'correct' : 'grade')
  const fields = {
    lessonId: lesson.id,
    gradedBy: actor.orgUserId,
    ...(await given(tx, actor, enrollment, input)),
    ...(await timesOf(tx, enrollment, input, stored)),
  }
  const record = stored
    ? tx.em.assign(stored, fields)
    : tx.em.create(TrainingRecord, {
        organizationId,
        enrollmentId,
        versionId,
        taskGrades: [],
        instructorId: actor.orgUserId,
        trainedAt: tx.now,
        ...fields,
      })
  await tx.em.flush()
  const outOfOrder = await warnOutOfOrder(tx, enrollment.id, lesson)
  return {
    id: record.id,
    warnings: [...(outOfOrder ? [outOfOrder] : []), ...(await warnOfBooking(tx, record, enrollment))],
  }
}

/**
 * Returns the given figures, completed from the booking's meters; figures that a regraded record already has do not
 * change.
 */
async function timesOf(tx: Tx, student: Enrollment, input: GradedLesson, stored: TrainingRecord | null) {
  const sent = defined(input.figures)
  if (input.reservationId == null) return sent
  const own = stored
    ? Object.fromEntries(Object.entries(figuresOf(stored)).filter(([, figure]) => figure !== null))
    : {}
  const booking = await findFlownLesson(tx.db, student.organizationId, {
    reservationId: input.reservationId,
    orgUserId: student.membershipId,
  })
  return booking ? prefilled({ ...own, ...sent }, booking) : sent
}

/**
 * Returns a warning for each time whose sum over the student's records differs from the booking by more than 0.2 hours.
 */
async function warnOfBooking(tx: Tx, { organizationId, reservationId }: TrainingRecord, student: Enrollment) {
  if (reservationId === null || reservationId === undefined) return []
  const of = { reservationId, orgUserId: student.membershipId }
  const booking = await findFlownLesson(tx.db, organizationId, of)
  if (!booking) return []
  const recorded = await sumRecordedTimes(tx.db, organizationId, of)
  return mismatches(recorded, booking).map(({ clock, recorded: own, booked }) =>
    trainingErrors.bookingDiffers({
      clock: clock.replace('Tenths', ''),
      recorded: formatTenths(own),
      booked: formatTenths(booked),
    }),
  )
}

/** Checks the given fields and returns them, without absent fields. */
async function given(tx: Tx, actor: Actor, enrollment: Enrollment, input: GradedLesson) {
  const { reservationId, instructorOrgUserId, occurredAt } = input
  if (instructorOrgUserId !== undefined) {
    await assertIsMember(tx, actor, instructorOrgUserId, 'instructorOrgUserId', graders)
    if (instructorOrgUserId === enrollment.membershipId) {
      throw trainingErrors.ownInstructor()
    }
  }
  if (occurredAt) assertHasHappened(occurredAt, tx.now, 'occurredAt')
  const booked = reservationId == null ? undefined : await startOfBooking(tx, enrollment, reservationId)
  const { grade, notes, taskGrades } = input
  return defined({
    grade,
    notes,
    taskGrades,
    reservationId,
    instructorId: instructorOrgUserId,
    trainedAt: occurredAt ?? booked,
  })
}

function defined<Fields extends object>(fields: Fields): Given<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<Fields>
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

/** Returns the warning for a Part 141 lesson that is recorded out of order; null otherwise. */
async function warnOutOfOrder(tx: Tx, enrollmentId: number, lesson: Lesson): Promise<string | null> {
  if (lesson.regulatoryPart !== 'part141') return null
  const records = await findProgress(tx, lesson.organizationId, enrollmentId)
  const lessons = await findLessonsInOrder(tx, lesson.organizationId, lesson.versionId)
  return outOfOrderWarning(skippedBefore(lesson.id, lessons, records, lesson.gradingScale))
}
