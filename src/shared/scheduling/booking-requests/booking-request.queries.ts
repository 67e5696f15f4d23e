import { type RawBuilder, sql } from 'kysely'
import type { ReservationType, ResourceKind } from '../../fleet/resources/reservation-types.rules.ts'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { deskStaff } from '../../platform/authz/roles.ts'
import { type Keyset, keyset, type Placed, type Position } from '../../platform/db/keyset.ts'
import { countUpTo, pageLimit, readRows, type Source } from '../../platform/db/read-rows.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { RequestedMeeting } from '../booking-requests.tables.ts'
import type { SeatRow } from '../reservations/booking-parts.types.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { BookingRequestStatus } from './booking-request.states.ts'

/** A booking request with the names of its people, resource, location and offering. */
export interface BookingRequestRow {
  id: number
  created_at: Date
  updated_at: Date
  status: BookingRequestStatus
  type: ReservationType
  starts_at: Date
  ends_at: Date
  time_zone_name: string
  title: string
  notes: string | null
  passengers: number
  ifr: boolean
  meeting_url: string | null
  meeting: RequestedMeeting | null
  meeting_error: string | null
  resource: { id: number; name: string; kind: ResourceKind; tailNumber: string | null; pool: string | null } | null
  pool: string | null
  location: { id: number; name: string; timeZoneName: string } | null
  rating_id: number | null
  requester: PersonRow | null
  guest_name: string | null
  guest_email: string | null
  guest_phone: string | null
  guest_id: number | null
  offering: { id: number; name: string } | null
  collection_style: 'close_out' | 'prepaid_fixed'
  prepaid_amount_cents: Cents | null
  held_until: Date | null
  confirmed_at: Date | null
  decided_by: PersonRow | null
  decided_at: Date | null
  reason: string | null
  reservation_id: number | null
  invited_at: Date | null
  seats: SeatRow[]
}

interface Selection {
  where: RawBuilder<unknown>
  order?: Keyset
  limit?: number
  offset?: number
}

const byStart = keyset('asc', ['q.starts_at', 'q.id'])
const latestFirst = keyset('desc', ['q.starts_at', 'q.id'])

/**
 * Returns requests of one organization in one query. The limit applies before the joins, so that only rows of the page are
 * joined.
 */
function findRows(source: Source, organizationId: number, selection: Selection): Promise<Placed<BookingRequestRow>[]> {
  const { where, order = byStart, limit, offset } = selection
  return readRows(
    source,
    sql<Placed<BookingRequestRow>>`
    select q.id, q.created_at, q.updated_at, q.status, q.type, q.starts_at, q.ends_at, q.time_zone_name, q.title,
      q.notes, q.passengers, q.ifr, q.meeting_url, q.meeting, q.meeting_error, q.pool, q.rating_id, q.guest_name, q.guest_email, q.guest_phone,
      q.guest_id, q.collection_style, q.prepaid_amount_cents, q.held_until, q.confirmed_at, q.decided_at, q.reason,
      q.reservation_id, q.invited_at, ${order.position} as "cursorPosition",
      ${personJson('q.requester_id')} as requester, ${personJson('q.decided_by')} as decided_by,
      case when x.id is null then null else json_build_object('id', x.id, 'name', x.name, 'kind', x.kind,
        'tailNumber', x.tail_number, 'pool', x.pool) end as resource,
      case when l.id is null then null else
        json_build_object('id', l.id, 'name', l.name, 'timeZoneName', l.time_zone_name) end as location,
      case when f.id is null then null else json_build_object('id', f.id, 'name', f.name) end as offering,
      coalesce((select json_agg(json_build_object('side', s.side, 'orgUserId', s.membership_id, 'guestId', s.guest_id,
          'name', coalesce(m.search_name, g.name), 'email', g.email, 'phone', g.phone, 'rates', null) order by s.position)
        from booking_request_seat s
        left join membership m on m.organization_id = s.organization_id and m.id = s.membership_id
        left join guest g on g.organization_id = s.organization_id and g.id = s.guest_id
        where s.organization_id = q.organization_id and s.booking_request_id = q.id), '[]') as seats
    from (
      select q.* from booking_request q where q.organization_id = ${organizationId} and ${where}
      order by ${order.order}
      ${limit === undefined ? sql`` : pageLimit(limit, offset)}
    ) q
    left join resource x on x.organization_id = q.organization_id and x.id = q.resource_id
    left join location l on l.organization_id = q.organization_id and l.id = q.location_id
    left join offering f on f.organization_id = q.organization_id and f.id = q.offering_id
    order by ${order.order}`,
  )
}

function listed(source: Source, organizationId: number, where: RawBuilder<unknown>, order: Keyset) {
  return {
    slice: (offset: number, limit: number) => findRows(source, organizationId, { where, order, limit, offset }),
    following: (after: Position | null, limit: number) =>
      findRows(source, organizationId, { where: sql`${where} and ${order.after(after)}`, order, limit }),
    count(most: number) {
      const mine = sql`booking_request q where q.organization_id = ${organizationId} and ${where}`
      return countUpTo(source, sql`${mine} order by ${order.order}`, most)
    },
  }
}

/** Days after approval for which a guest who is not invited yet stays on the desk's list. */
const DAYS_TO_INVITE = 30
const DAY_MS = 86_400_000

/**
 * Lists requests for the desk by start: (1) pending requests; (2) requests that were approved in the last 30 days and whose
 * guests are not invited yet; (3) requests that hold an aircraft for a guest who has not opened the mailed link. Implements
 * interface §Booking requests.
 */
export function listForDesk(source: Source, organizationId: number, now: Date) {
  const recently = new Date(now.getTime() - DAYS_TO_INVITE * DAY_MS)
  const where = sql`(q.status = 'pending'
    or (q.status = 'approved' and q.guest_email is not null and q.invited_at is null and q.decided_at > ${recently})
    or (q.status = 'awaiting_confirmation' and q.held_until > ${now}))`
  return listed(source, organizationId, where, byStart)
}

/** Returns a member's own requests in every status, latest start first. Implements interface §Booking requests (me). */
export function listRequestsOf(source: Source, { organizationId, orgUserId }: Actor) {
  return listed(source, organizationId, sql`q.requester_id = ${orgUserId}`, latestFirst)
}

/** Returns one request of the organization. */
export async function findBookingRequest(
  source: Source,
  organizationId: number,
  id: number,
): Promise<BookingRequestRow> {
  const [row] = await findRows(source, organizationId, { where: sql`q.id = ${id}` })
  if (!row) throw schedulingErrors.noSuchRequest()
  return row
}

/** Returns one request to desk staff and its requester. Implements interface §Booking requests. */
export async function findRequestForReader(source: Source, reader: Actor, id: number): Promise<BookingRequestRow> {
  const row = await findBookingRequest(source, reader.organizationId, id)
  if (!is(reader, deskStaff) && row.requester?.orgUserId !== reader.orgUserId) {
    throw schedulingErrors.noSuchRequest()
  }
  return row
}
