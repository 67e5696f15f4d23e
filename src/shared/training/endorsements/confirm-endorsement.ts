import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { seal } from '../../platform/seals/seal.ts'
import { trainingErrors } from '../training.errors.ts'
import { lockEndorsement } from './endorsement.access.ts'

/**
 * Confirms or disowns an endorsement that another member recorded in the actor's name. Such an endorsement counts only
 * after it is confirmed. Implements interface §Training (endorsements on behalf).
 */
export async function answerForEndorsement(
  tx: Tx,
  actor: Actor,
  id: number,
  answer: 'confirmed' | 'disowned',
): Promise<{ id: number }> {
  const { orgUserId } = actor
  const endorsement = await lockEndorsement(tx, actor, id)
  const { signedBy, recordedBy, confirmedAt, disownedAt } = endorsement
  if (signedBy !== orgUserId || recordedBy == null || recordedBy === orgUserId) throw trainingErrors.notInYourName()
  if (confirmedAt || disownedAt) throw trainingErrors.answeredAlready()
  tx.em.assign(endorsement, answer === 'confirmed' ? { confirmedAt: tx.now } : { disownedAt: tx.now })
  seal(tx, actor, `endorsement.${answer}`, { id, of: endorsement.membershipId })
  emit(tx, actor, { kind: `endorsement.${answer}`, subject: { kind: 'endorsement', id } })
  return { id }
}
