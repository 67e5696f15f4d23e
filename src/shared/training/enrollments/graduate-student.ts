import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { courseOf } from '../courses/course.access.ts'
import type { RegulatoryPart } from '../courses/syllabus.rules.ts'
import { assertHolds } from '../grants/grant.access.ts'
import { findFinalTest } from '../knowledge-tests/training-test.queries.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { lockEnrollment } from './enrollment.access.ts'
import { enrollmentTransitions } from './enrollment.states.ts'
import { judgeGraduation } from './graduation.rules.ts'
import { findRequirementProgress } from './requirement-progress.queries.ts'
import { judgedAt } from './requirement-progress.rules.ts'

/**
 * Graduates a student and closes the record. Returns as warnings what is not met and does not block the graduation.
 * Implements interface §Enrollment: POST graduate.
 */
export async function graduateStudent(
  tx: Tx,
  actor: Actor,
  id: number,
  graduationCertificateNumber: string | null,
): Promise<{ id: number; regulatoryPart: RegulatoryPart; warnings: Sentence[] }> {
  await assertHolds(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  const status = assertTransition(enrollmentTransitions, enrollment.status, 'graduate')
  const course = await courseOf(tx, enrollment)
  const at = { now: judgedAt(enrollment, tx.now), zone: actor.organization.timeZoneName }
  const standing = await findRequirementProgress(tx, enrollment, at)
  const { obstacles, warnings } = judgeGraduation({
    regulatoryPart: course.regulatoryPart,
    certified: enrollment.certifiedAt != null,
    requirements: standing.requirements,
    finalTest: await findFinalTest(tx, enrollment),
  })
  if (obstacles.length > 0) {
    const list = obstacles.map(({ message }) => message).join('; ')
    throw trainingErrors.cannotGraduate({ obstacles: list }, { obstacles })
  }
  tx.em.assign(enrollment, { status, endedAt: tx.now, endedBy: actor.orgUserId, graduationCertificateNumber })
  emit(tx, actor, { kind: 'enrollment.graduated', subject: { kind: 'enrollment', id } })
  return { id, regulatoryPart: course.regulatoryPart, warnings: warnings.map(({ message }) => message) }
}
