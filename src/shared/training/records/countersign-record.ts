import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { seal } from '../../platform/seals/seal.ts'
import { trainingErrors } from '../training.errors.ts'
import { assertTransition } from '../transition.rules.ts'
import { lockRecord } from './record.access.ts'
import { recordStatus, recordTransitions } from './record.states.ts'

/**
 * Adds the student's signature to a signed record, also after the enrollment has ended.
 * Implements interface §Training record and ledger: POST countersign.
 */
export async function countersignRecord(
  tx: Tx,
  actor: Actor,
  id: number,
  certificateNumber: string | null,
): Promise<{ id: number }> {
  const { record, enrollment } = await lockRecord(tx, actor, id)
  if (enrollment.membershipId !== actor.orgUserId) throw trainingErrors.notYourRecord()
  assertTransition(recordTransitions, recordStatus(record), 'countersign')
  tx.em.assign(record, {
    countersignedAt: tx.now,
    countersignedBy: actor.orgUserId,
    countersignerCertificateNumber: certificateNumber,
  })
  seal(tx, actor, 'training_record.countersigned', { id, of: enrollment.membershipId })
  return { id }
}
