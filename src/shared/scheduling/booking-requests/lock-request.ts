import { LockMode } from '@mikro-orm/core'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { Conflict, NotFound } from '../../platform/kernel/errors.ts'
import { BookingRequest } from './booking-request.entity.ts'
import { type BookingRequestTrigger, refusalIn, statusAfter, transitions } from './booking-request.states.ts'

/** What the desk or the requester does with a request. */
type Decision = Exclude<BookingRequestTrigger, 'confirm'>

/**
 * Returns the request to decide, locked until the commit. Desk staff decide every request, requesters only their own.
 * Implements interface §Booking request.
 * @throws NotFound for everybody else, as for an unknown id.
 * @throws Conflict NOT_PENDING when it is not pending.
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

/** Writes a decision to a locked request: the state, by whom and when. It ends the request's slot hold. */
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
