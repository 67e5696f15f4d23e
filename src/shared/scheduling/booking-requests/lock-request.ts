import { LockMode } from '@mikro-orm/core'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, NotFound } from '../../platform/kernel/errors.ts'
import { BookingRequest } from './booking-request.entity.ts'
import { type BookingRequestTrigger, refusalIn, statusAfter, transitions } from './booking-request.states.ts'

/** What the desk, or who asked, does with a request. */
type Decision = Exclude<BookingRequestTrigger, 'confirm'>

/**
 * The request to decide, locked until the commit. Desk staff decide every request, who asked their own.
 * @throws NotFound for everybody else, as for one that is not there; Conflict NOT_PENDING when it is not pending.
 */
export async function lockForDecision(tx: Tx, actor: Actor, id: number, decision: Decision): Promise<BookingRequest> {
  const { organizationId, orgUserId } = actor
  const request = await tx.em.findOne(BookingRequest, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
  if (!request || (request.requesterId !== orgUserId && !is(actor, deskStaff))) {
    throw new NotFound('There is no such booking request.')
  }
  if (statusAfter(decision, request.status) === null) throw new Conflict(refusalIn(request.status), 'NOT_PENDING')
  return request
}

/** Sets a locked request to what was decided, by whom and when; a slot that it held is free again. */
export function applyDecision(
  tx: Tx,
  actor: Actor,
  request: BookingRequest,
  decision: Decision,
  more: Partial<Pick<BookingRequest, 'reason' | 'reservationId'>> = {},
): void {
  const status = transitions[decision].to
  tx.em.assign(request, { status, decidedBy: actor.orgUserId, decidedAt: tx.now, heldUntil: null, ...more })
}
