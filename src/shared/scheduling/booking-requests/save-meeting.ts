import type { Tx } from '../../platform/db/transaction.ts'
import type { MeetingOf } from './meeting-to-make.queries.ts'

/** Stores the meeting's address on the request and on its booking, and clears an earlier error. */
export async function saveMeeting(tx: Tx, meeting: MeetingOf, joinUrl: string): Promise<void> {
  await tx.db
    .updateTable('booking_request')
    .set({ meeting_url: joinUrl, meeting_error: null, updated_at: tx.now })
    .where('organization_id', '=', meeting.organizationId)
    .where('id', '=', meeting.bookingRequestId)
    .execute()
  await tx.db
    .updateTable('reservation')
    .set({ meeting_url: joinUrl, updated_at: tx.now })
    .where('organization_id', '=', meeting.organizationId)
    .where('live', '=', true)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('booking_request')
        .select('reservation_id')
        .where('organization_id', '=', meeting.organizationId)
        .where('id', '=', meeting.bookingRequestId),
    )
    .execute()
}

/**
 * Stores on the request why there is no meeting, unless another run has created it meanwhile. The booking stays.
 * Implements interface §Booking requests (`meetingError`).
 */
export async function saveMeetingError(tx: Tx, meeting: MeetingOf, message: string): Promise<void> {
  await tx.db
    .updateTable('booking_request')
    .set({ meeting_error: message, updated_at: tx.now })
    .where('organization_id', '=', meeting.organizationId)
    .where('id', '=', meeting.bookingRequestId)
    .where('meeting_url', 'is', null)
    .execute()
}
