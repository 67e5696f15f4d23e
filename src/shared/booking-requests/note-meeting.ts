import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'
import type { MeetingOf } from './meeting-to-make.queries.ts'

/** Longer than the four calls of one conversation take at most; a process that was killed keeps its job waiting no longer. */
const CLAIM_SECONDS = 90

/** What the provider is to know the meeting by, and whether it may know it already. */
export interface MeetingClaim {
  key: string
  triedBefore: boolean
}

/**
 * Lets one run of the job make the meeting, and writes that down before the provider is asked: two at once would make
 * two, and a provider that knows no keys has to be asked first from the second time on. Null while another run is at it,
 * and when the booking was cancelled since the run began.
 */
export async function claimMeeting(
  tx: Tx,
  { organizationId, bookingRequestId }: MeetingOf,
): Promise<MeetingClaim | null> {
  const { rows } = await sql<MeetingClaim>`
    with before as (
      select b.id, b.meeting_key from booking_request b
      join reservation r on r.organization_id = b.organization_id and r.id = b.reservation_id and r.live
      where b.organization_id = ${organizationId} and b.id = ${bookingRequestId} and b.meeting_url is null
        and coalesce(b.meeting_claimed_until <= now(), true)
      for update of b)
    update booking_request q
    set meeting_key = coalesce(before.meeting_key, ${randomBytes(16).toString('hex')}),
      meeting_claimed_until = now() + make_interval(secs => ${CLAIM_SECONDS})
    from before where q.organization_id = ${organizationId} and q.id = before.id
    returning q.meeting_key as key, before.meeting_key is not null as "triedBefore"`.execute(tx.db)
  return rows[0] ?? null
}

/** Lets the next run try. */
export async function releaseMeeting(tx: Tx, meeting: MeetingOf): Promise<void> {
  await update(tx, meeting, { meeting_claimed_until: null })
}

/** Puts the meeting's address on the request and on its booking. What went wrong before does not count any more. */
export async function noteMeeting(tx: Tx, meeting: MeetingOf, joinUrl: string): Promise<void> {
  await update(tx, meeting, { meeting_url: joinUrl, meeting_error: null, meeting_claimed_until: null })
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

/** Says on the request why there is no meeting, unless another run has made it meanwhile; the booking stands. */
export async function noteMeetingError(tx: Tx, meeting: MeetingOf, message: string): Promise<void> {
  await tx.db
    .updateTable('booking_request')
    .set({ meeting_error: message, updated_at: tx.now })
    .where('organization_id', '=', meeting.organizationId)
    .where('id', '=', meeting.bookingRequestId)
    .where('meeting_url', 'is', null)
    .execute()
}

interface Changes {
  meeting_url?: string
  meeting_error?: null
  meeting_claimed_until: null
}

async function update(tx: Tx, { organizationId, bookingRequestId }: MeetingOf, changes: Changes): Promise<void> {
  await tx.db
    .updateTable('booking_request')
    .set({ ...changes, updated_at: tx.now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', bookingRequestId)
    .execute()
}
