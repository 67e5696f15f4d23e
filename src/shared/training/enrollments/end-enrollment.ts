import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seal } from '../../platform/seals/seal.ts'
import { courseOf } from '../courses/course.access.ts'
import { assertHolds, assertIsNotOneself } from '../grants/grant.access.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { lockEnrollment } from './enrollment.access.ts'
import { isChiefInstructorOf } from './enrollment.queries.ts'
import { enrollmentTransitions } from './enrollment.states.ts'

/**
 * Certifies that the training record of an enrollment is complete and true, signed by the actor: as the chief
 * instructor of the course, or else as an admin. The record of a student who left can be certified too. Under Part 141
 * a warning is returned when the actor is not the chief instructor (14 CFR 141.101(c)).
 * Implements interface §Enrollment: POST certify.
 */
export async function certifyEnrollment(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ id: number; warning: string | null }> {
  const isChief = await isChiefInstructorOf(tx.db, actor, id)
  if (!isChief) await assertHolds(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  if (isChief) assertIsNotOneself(actor, enrollment.membershipId)
  enrollment.status = assertTransition(enrollmentTransitions, enrollment.status, 'certify')
  enrollment.certifiedAt = tx.now
  enrollment.certifiedBy = actor.orgUserId
  enrollment.certifiedAs = isChief ? 'chief_instructor' : 'admin'
  seal(tx, actor, 'enrollment.certified', { id, of: enrollment.membershipId })
  const { regulatoryPart } = await courseOf(tx, enrollment)
  return { id, warning: isChief || regulatoryPart === 'part61' ? null : trainingErrors.notTheChief() }
}

/**
 * Ends an enrollment without graduation. Its records can still be signed and corrected.
 * Implements interface §Enrollment: POST end.
 */
export async function endEnrollment(
  tx: Tx,
  actor: Actor,
  id: number,
  { status, reason }: { status: 'terminated' | 'transferred'; reason: string | null },
): Promise<{ id: number }> {
  await assertHolds(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  const trigger = status === 'terminated' ? 'terminate' : 'transfer'
  enrollment.status = assertTransition(enrollmentTransitions, enrollment.status, trigger)
  tx.em.assign(enrollment, { endedAt: tx.now, endedBy: actor.orgUserId, endReason: reason })
  return { id }
}
