import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { BookingRequest } from '../booking-requests.tables.ts'
import { lockEntity } from '../reservations/reservation.access.ts'
import { mailGuestDecision } from '../scheduling.jobs.ts'
import { applyDecision, lockForDecision, lockPendingRequestsOf, lockRequestIfAny } from './booking-request.access.ts'
import type { MeetingOf } from './meeting-to-make.queries.ts'

/** Rejects a request; the requester is notified of the reason. Implements interface §Booking request. */
export async function rejectRequest(tx: Tx, actor: Actor, id: number, reason: string | null): Promise<{ id: number }> {
  const request = await lockForDecision(tx, actor, id, 'reject')
  applyDecision(tx, actor, request, 'reject', { reason })
  emit(tx, actor, { kind: 'booking_request.declined', subject: { kind: 'booking_request', id } })
  mailGuest(tx, request)
  return { id }
}

/**
 * Cancels a request. Requesters may cancel their own requests, desk staff any. A guest gets a mail. Implements interface
 * §Booking request.
 */
export async function cancelRequest(tx: Tx, actor: Actor, id: number): Promise<{ id: number }> {
  const request = await lockForDecision(tx, actor, id, 'cancel')
  applyDecision(tx, actor, request, 'cancel')
  emit(tx, actor, { kind: 'booking_request.cancelled', subject: { kind: 'booking_request', id } })
  mailGuest(tx, request)
  return { id }
}

/** Cancels the pending requests of a member who leaves. */
export async function cancelRequestsOf(
  tx: Tx,
  leaving: { organizationId: number; orgUserId: number },
  by: { orgUserId: number },
): Promise<void> {
  for (const request of await lockPendingRequestsOf(tx, leaving)) applyDecision(tx, by, request, 'cancel')
}

/**
 * Stores the URL of the meeting on the request and on its live booking, and clears an earlier error. Implements
 * interface §Booking requests (`meeting`).
 */
export async function saveMeeting(tx: Tx, meeting: MeetingOf, joinUrl: string): Promise<void> {
  const request = await lockRequestIfAny(tx, meeting.organizationId, meeting.bookingRequestId)
  if (!request) return
  tx.em.assign(request, { meetingUrl: joinUrl, meetingError: null })
  const reservation = request.reservationId ? await lockEntity(tx, meeting, request.reservationId) : null
  if (reservation?.live) reservation.meetingUrl = joinUrl
}

/**
 * Stores the error of the meeting on the request, unless another run has created the meeting since. The booking stays.
 * Implements interface §Booking requests (`meetingError`).
 */
export async function saveMeetingError(tx: Tx, meeting: MeetingOf, message: string): Promise<void> {
  const request = await lockRequestIfAny(tx, meeting.organizationId, meeting.bookingRequestId)
  if (request && !request.meetingUrl) request.meetingError = message
}

/** Milliseconds that the mail waits for the payment page of a charged package. */
const INVOICE_MS = 5_000

/**
 * Enqueues the mail about a decision when the requester is a guest; a member is notified by the event instead. With `charged`
 * the mail waits for the payment page. Implements interface §Booking request.
 */
export function mailGuest(tx: Tx, request: BookingRequest, { charged = false }: { charged?: boolean } = {}): void {
  const { organizationId, id, requesterId } = request
  if (requesterId != null) return
  const availableAt = charged ? new Date(tx.now.getTime() + INVOICE_MS) : tx.now
  tx.enqueue(mailGuestDecision, { organizationId, bookingRequestId: id }, { availableAt })
}
