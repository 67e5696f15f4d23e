import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seal } from '../../platform/seals/seal.ts'
import { assertAllowsChange } from '../enrollments/enrollment.access.ts'
import { TrainingRecord } from '../enrollments.tables.ts'
import { assertGrades, assertIsNotOneself } from '../grants/grant.access.ts'
import { assertTransition } from '../transition.rules.ts'
import { lockRecord } from './record.access.ts'
import { recordStatus, recordTransitions } from './record.states.ts'
import { figuresOf } from './record-figures.rules.ts'
import { reverseEntries } from './reverse-credit.ts'

/**
 * Amends a signed record: marks it amended, reverses the credit that it posted, and creates a new record with the same
 * content, which can be corrected and signed. Returns the id of the new record.
 * Implements interface §Training record and ledger: POST amend.
 */
export async function amendRecord(tx: Tx, actor: Actor, id: number, reason: string): Promise<{ id: number }> {
  assertGrades(actor)
  const { record, enrollment } = await lockRecord(tx, actor, id)
  assertIsNotOneself(actor, enrollment.membershipId)
  assertTransition(recordTransitions, recordStatus(record), 'amend')
  assertAllowsChange(tx, actor, enrollment, 'correct')
  const successor = tx.em.create(TrainingRecord, {
    organizationId: record.organizationId,
    enrollmentId: record.enrollmentId,
    versionId: record.versionId,
    lessonId: record.lessonId,
    grade: record.grade,
    notes: record.notes,
    ...figuresOf(record),
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
  seal(tx, actor, 'training_record.amended', { id, of: enrollment.membershipId })
  await reverseEntries(tx, actor, { recordId: id }, reason)
  return { id: successor.id }
}
