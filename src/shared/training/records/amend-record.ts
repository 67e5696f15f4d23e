import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { assertTransition } from '../assert-transition.ts'
import { mustAllowChange } from '../enrollments/lock-enrollment.ts'
import { mustGrade } from '../grants/policy.ts'
import { lockRecord, mustNotBeOneself } from './find-for-action.ts'
import { TrainingRecord } from './record.entity.ts'
import { recordStatus, recordTransitions } from './record.states.ts'
import { reverseEntries } from './reverse-credit.ts'

/**
 * Replaces a signed record: it is marked amended, what it posted is reversed, and a new record with the same content
 * takes its place, to be put right and signed.
 * @throws Forbidden for others than instructors and admins, and for one's own training; NotFound; Conflict when it is
 * not signed, amended already, or the student graduated.
 */
export async function amendRecord(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  mustGrade(actor)
  const { record, enrollment } = await lockRecord(tx, actor, id)
  mustNotBeOneself(actor, enrollment.membershipId)
  assertTransition(recordTransitions, recordStatus(record), 'amend')
  mustAllowChange(enrollment, 'putRight')
  const successor = tx.em.create(TrainingRecord, {
    organizationId: record.organizationId,
    enrollmentId: record.enrollmentId,
    versionId: record.versionId,
    lessonId: record.lessonId,
    grade: record.grade,
    notes: record.notes,
    flightTenths: record.flightTenths,
    instructionTenths: record.instructionTenths,
    simulatorTenths: record.simulatorTenths,
    groundTenths: record.groundTenths,
    taskGrades: record.taskGrades,
    reservationId: record.reservationId,
    instructorId: record.instructorId,
    trainedAt: record.trainedAt,
    gradedBy: actor.orgUserId,
    amendsId: id,
  })
  await tx.em.flush()
  tx.em.assign(record, {
    amendedAt: tx.now,
    amendedById: successor.id,
    amendedBy: actor.orgUserId,
    amendReason: reason,
  })
  await reverseEntries(tx, actor, { recordId: id }, reason)
  return { id: successor.id }
}
