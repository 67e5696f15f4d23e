import type { Tx } from '../../platform/db/transaction.ts'
import { lockEntity } from '../reservations/reservation.access.ts'
import { lockRequestIfAny } from './booking-request.access.ts'
import type { MeetingOf } from './meeting-to-make.queries.ts'

/** Stores the meeting's address on the request and on its live booking, and clears an earlier error. */
export async function saveMeeting(tx: Tx, meeting: MeetingOf, joinUrl: string): Promise<void> {
  const request = await lockRequestIfAny(tx, meeting.organizationId, meeting.bookingRequestId)
  if (!request) return
  tx.em.assign(request, { meetingUrl: joinUrl, meetingError: null })
  const reservation = request.reservationId ? await lockEntity(tx, meeting, request.reservationId) : null
  if (reservation?.live) reservation.meetingUrl = joinUrl
}

/**
 * Stores on the request why there is no meeting, unless another run has created it meanwhile. The booking stays.
 * Implements interface §Booking requests (`meetingError`).
 */
export async function saveMeetingError(tx: Tx, meeting: MeetingOf, message: string): Promise<void> {
  const request = await lockRequestIfAny(tx, meeting.organizationId, meeting.bookingRequestId)
  if (request && !request.meetingUrl) request.meetingError = message
}
