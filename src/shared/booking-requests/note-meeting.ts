import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'
import type { MeetingOf } from './meeting-to-make.queries.ts'

/** Longer than one conversation with a provider takes; a process that was killed keeps its job waiting no longer. */
const CLAIM_SECONDS = 90

/** What the provider is to know the meeting by, and whether it may know it already. */
export interface MeetingClaim {
  key: string
  triedBefore: boolean
}

/**
 * Lets one run of the job make the meeting, and writes that down before the provider is asked: two at once would make
 * two, and a provider that knows no keys has to be asked first from the second time on. Null while another run is at it.
 */
export async function claimMeeting(
  tx: Tx,
  { organizationId, bookingRequestId }: MeetingOf,
): Promise<MeetingClaim | null> {
  const { rows } = await sql<MeetingClaim>`
    with before as (
      select id, meeting_key from booking_request
      where organization_id = ${organizationId} and id = ${bookingRequestId} and meeting_url is null
        and coalesce(meeting_claimed_until <= now(), true)
      for update)
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

/** Says on the request why there is no meeting; the booking stands. */
export async function noteMeetingError(tx: Tx, meeting: MeetingOf, message: string): Promise<void> {
  await update(tx, meeting, { meeting_error: message })
}

interface Changes {
  meeting_url?: string
  meeting_error?: string | null
  meeting_claimed_until?: null
}

async function update(tx: Tx, { organizationId, bookingRequestId }: MeetingOf, changes: Changes): Promise<void> {
  await tx.db
    .updateTable('booking_request')
    .set({ ...changes, updated_at: tx.now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', bookingRequestId)
    .execute()
}
