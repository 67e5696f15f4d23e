import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { mustHold } from '../grants/grant.access.ts'
import { assertTransition } from '../transition.rules.ts'
import { lockEnrollment } from './enrollment.access.ts'
import { enrollmentTransitions } from './enrollment.states.ts'

/**
 * Certifies that the training record of an enrollment is complete and true, signed by the actor.
 * Implements interface §Enrollment: POST certify.
 * @throws Forbidden when the actor does not hold `manageEnrollment`
 * @throws NotFound when there is no such enrollment
 * @throws Conflict ENROLLMENT_ENDED when it has ended
 */
export async function certifyEnrollment(tx: Tx, actor: Actor, id: number): Promise<{ id: number }> {
  await mustHold(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  enrollment.status = assertTransition(enrollmentTransitions, enrollment.status, 'certify')
  enrollment.certifiedAt = tx.now
  enrollment.certifiedBy = actor.orgUserId
  return { id }
}

/**
 * Ends an enrollment without graduation. Its records can still be signed and corrected.
 * Implements interface §Enrollment: POST end.
 * @throws Forbidden when the actor does not hold `manageEnrollment`
 * @throws NotFound when there is no such enrollment
 * @throws Conflict ENROLLMENT_ENDED when it has ended already
 */
export async function endEnrollment(
  tx: Tx,
  actor: Actor,
  id: number,
  { status, reason }: { status: 'terminated' | 'transferred'; reason: string | null },
): Promise<{ id: number }> {
  await mustHold(tx, actor, ['manageEnrollment'])
  const enrollment = await lockEnrollment(tx, actor, id)
  const trigger = status === 'terminated' ? 'terminate' : 'transfer'
  enrollment.status = assertTransition(enrollmentTransitions, enrollment.status, trigger)
  tx.em.assign(enrollment, { endedAt: tx.now, endedBy: actor.orgUserId, endReason: reason })
  return { id }
}
