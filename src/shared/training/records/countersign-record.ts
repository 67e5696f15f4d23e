import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'
import { assertTransition } from '../assert-transition.ts'
import { lockRecord } from './find-for-action.ts'
import { recordStatus, recordTransitions } from './record.states.ts'

/**
 * The student's signature below the instructor's; late ones count, after the end of the enrollment too.
 * @throws NotFound; Forbidden for a record that is not one's own; Conflict when the instructor has not signed, the
 * student has, or the record was amended.
 */
export async function countersignRecord(
  tx: Tx,
  actor: Actor,
  id: number,
  certificateNumber: string | null,
): Promise<{ id: number }> {
  const { record, enrollment } = await lockRecord(tx, actor, id)
  if (enrollment.membershipId !== actor.orgUserId) throw new Forbidden('This is not your record.', 'NOT_YOUR_RECORD')
  assertTransition(recordTransitions, recordStatus(record), 'countersign')
  tx.em.assign(record, {
    countersignedAt: tx.now,
    countersignedBy: actor.orgUserId,
    countersignerCertificateNumber: certificateNumber,
  })
  return { id }
}
