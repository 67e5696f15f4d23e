import { LockMode } from '@mikro-orm/core'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden, NotFound } from '../../platform/kernel/errors.ts'
import { SyllabusLesson, SyllabusVersion } from '../courses/syllabus.entity.ts'
import type { Enrollment } from '../enrollments/enrollment.entity.ts'
import { lockEnrollment } from '../enrollments/lock-enrollment.ts'
import { TrainingRecord } from './record.entity.ts'

const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const

/**
 * Loads a record with its enrollment and locks both rows, the enrollment first.
 * @throws NotFound when the organization has no such record
 */
export async function lockRecord(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ record: TrainingRecord; enrollment: Enrollment }> {
  const { organizationId } = actor
  const found = await tx.em.findOne(TrainingRecord, { id, organizationId })
  const enrollment = found && (await lockEnrollment(tx, actor, found.enrollmentId))
  const record = enrollment && (await tx.em.findOne(TrainingRecord, { id, organizationId }, locked))
  if (!record) throw new NotFound('There is no such training record.')
  return { record, enrollment }
}

/**
 * Checks that the actor is not the student: nobody grades, signs or endorses their own training.
 * @throws Forbidden OWN_TRAINING when the actor is the student
 */
export function mustNotBeOneself(actor: Actor, studentId: number): void {
  if (actor.orgUserId === studentId) {
    throw new Forbidden('You cannot grade, sign or endorse your own training.', 'OWN_TRAINING')
  }
}

/** Loads the version and the lesson of a record. */
export async function lessonOf(tx: Tx, { organizationId, versionId, lessonId }: TrainingRecord) {
  return {
    version: await tx.em.findOneOrFail(SyllabusVersion, { organizationId, id: versionId }),
    lesson: await tx.em.findOneOrFail(SyllabusLesson, { organizationId, versionId, id: lessonId }),
  }
}
