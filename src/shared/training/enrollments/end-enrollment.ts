import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { assertTransition } from '../assert-transition.ts'
import { mustHold } from '../grants/policy.ts'
import { enrollmentTransitions } from './enrollment.states.ts'
import { lockEnrollment } from './lock-enrollment.ts'

/**
 * Certifies that the record of an enrollment is complete and true, in the actor's name.
 * @throws Forbidden without the grant; NotFound; Conflict when it has ended.
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
 * Ends an enrollment without graduation. What was trained can still be signed and put right.
 * @throws Forbidden without the grant; NotFound; Conflict when it has ended already.
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
