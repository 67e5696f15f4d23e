import { LockMode } from '@mikro-orm/core'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { BookingRequest } from '../booking-requests.tables.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import { sendHoldEnded } from '../scheduling.jobs.ts'
import { type BookingRequestTrigger, refusalIn, statusAfter, transitions } from './booking-request.states.ts'

/** Returns the request, locked until the commit; null when the organization has none with this id. */
export function lockRequestIfAny(tx: Tx, organizationId: number, id: number): Promise<BookingRequest | null> {
  return tx.em.findOne(BookingRequest, { id, organizationId }, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Returns the request, locked until the commit. */
export async function lockRequest(tx: Tx, { organizationId }: Actor, id: number): Promise<BookingRequest> {
  const request = await lockRequestIfAny(tx, organizationId, id)
  if (!request) throw unknownRequest()
  return request
}

/** Returns the pending requests of a member, locked until the commit. */
export function lockPendingRequestsOf(
  tx: Tx,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
): Promise<BookingRequest[]> {
  return tx.em.find(
    BookingRequest,
    { organizationId, requesterId: orgUserId, status: 'pending' },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )
}

/**
 * Returns the guest's request that a mailed token confirms, locked until the commit; null for a token that is unknown, used
 * or expired. When a token is used twice at the same time, the second use gets null.
 */
export function lockForConfirmation(tx: Tx, tokenHash: string): Promise<BookingRequest | null> {
  return tx.em.findOne(
    BookingRequest,
    { tokenHash, status: transitions.confirm.from, tokenExpiresAt: { $gt: tx.now } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  )
}

/**
 * Ends the holds of guests who have not confirmed, because desk staff book the slots or a member accepts an offer of them. Each guest gets a mail; when the guest
 * confirms later, the response says that the hold has ended. The caller must hold the locks of the slots, which a
 * confirmation takes too.
 */
export async function endHolds(tx: Tx, organizationId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const requests = await tx.em.find(
    BookingRequest,
    { organizationId, id: { $in: [...ids] }, status: 'awaiting_confirmation', heldUntil: { $ne: null } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } },
  )
  for (const request of requests) {
    tx.em.assign(request, { heldUntil: null, holdEndedAt: tx.now })
    tx.enqueue(sendHoldEnded, { organizationId, bookingRequestId: request.id })
  }
}

/** The actions of the desk or the requester on a request. */
type Decision = Exclude<BookingRequestTrigger, 'confirm'>

/**
 * Returns the request to decide, locked until the commit. Desk staff act on every request, requesters only on their own.
 * Implements interface §Booking request.
 */
export async function lockForDecision(tx: Tx, actor: Actor, id: number, decision: Decision): Promise<BookingRequest> {
  const request = await lockRequest(tx, actor, id)
  if (request.requesterId !== actor.orgUserId && !is(actor, deskStaff)) throw unknownRequest()
  if (statusAfter(decision, request.status) === null) throw refusalIn(request.status)
  return request
}

/** Writes a decision to a locked request: its status, member and time. Ends the slot hold of the request. */
export function applyDecision(
  tx: Tx,
  by: { orgUserId: number },
  request: BookingRequest,
  decision: Decision,
  more: Partial<Pick<BookingRequest, 'reason' | 'reservationId'>> = {},
): void {
  const status = transitions[decision].to
  tx.em.assign(request, { status, decidedBy: by.orgUserId, decidedAt: tx.now, heldUntil: null, ...more })
}

const unknownRequest = () => schedulingErrors.noSuchRequest()

/** Returns the request from which a booking was made; null when there was none. */
export function findRequestOf(tx: Tx, organizationId: number, reservationId: number): Promise<BookingRequest | null> {
  return tx.em.findOne(BookingRequest, { organizationId, reservationId })
}
