import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { RequestedMeeting } from '../booking-requests.tables.ts'

/** The key of the request whose meeting is created. */
export interface MeetingOf {
  organizationId: number
  bookingRequestId: number
}

/** A meeting to create, with the current start and end of its booking. */
export interface MeetingToMakeRow {
  wish: RequestedMeeting
  start: Date
  end: Date
  zone: string
  /** The members whose connected account may host it, in order: the instructors of the booking, then the requester. */
  hosts: number[]
}

/** Returns the meeting to create; null when the request asks for none, has one already, or has no live booking. */
export async function findMeetingToMake(
  db: Db,
  { organizationId, bookingRequestId }: MeetingOf,
): Promise<MeetingToMakeRow | null> {
  const { rows } = await sql<Omit<MeetingToMakeRow, 'hosts'> & { instructors: number[]; requester: number | null }>`
    select q.meeting as wish, r.starts_at as start, r.ends_at as end, r.time_zone_name as zone,
      q.requester_id as requester,
      array(select s.membership_id from seat s
        where s.organization_id = r.organization_id and s.reservation_id = r.id and s.side = 'instructors'
          and s.membership_id is not null
        order by s.position) as instructors
    from booking_request q
    join reservation r on r.organization_id = q.organization_id and r.id = q.reservation_id
    where q.organization_id = ${organizationId} and q.id = ${bookingRequestId} and q.status = 'approved'
      and q.meeting is not null and q.meeting_url is null and r.live`.execute(db)
  const [row] = rows
  if (!row) return null
  const { instructors, requester, ...meeting } = row
  return { ...meeting, hosts: requester === null ? instructors : [...instructors, requester] }
}
