import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { applyDecision, lockForDecision } from './lock-request.ts'
import { notifyRequester } from './notify-requester.ts'

/** Declines a request; who asked is told why. @throws NotFound; Conflict NOT_PENDING when it is not pending. */
export async function rejectRequest(tx: Tx, actor: Actor, id: number, reason: string | null): Promise<{ id: number }> {
  const request = await lockForDecision(tx, actor, id, 'reject')
  applyDecision(tx, actor, request, 'reject', { reason })
  notifyRequester(tx, actor, request)
  return { id }
}

/**
 * Cancels a request: who asked their own, desk staff any. A guest is told by mail.
 * @throws NotFound; Conflict NOT_PENDING when it is not pending.
 */
export async function cancelRequest(tx: Tx, actor: Actor, id: number): Promise<{ id: number }> {
  const request = await lockForDecision(tx, actor, id, 'cancel')
  applyDecision(tx, actor, request, 'cancel')
  notifyRequester(tx, actor, request)
  return { id }
}
