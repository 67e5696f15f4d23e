import { type BookingRequestRow, findBookingRequest } from '../../shared/booking-requests/booking-request.queries.ts'
import type { BookingRequestStatus } from '../../shared/booking-requests/booking-request.states.ts'
import type { HappeningPayload } from '../../shared/notifications/notifications.jobs.ts'
import type { Concerned } from '../../shared/notifications/tell-concerned.ts'
import type { RequestToTell } from '../../shared/notifications/wording/booking-request.rules.ts'
import { members, type Sources, unlessGone } from './telling.ts'

type Request = RequestToTell & { row: BookingRequestRow }

/** A booking request that nobody has decided. */
export const undecided = (sources: Sources, happening: HappeningPayload) => load(sources, happening, 'pending')

/** A booking request that was approved. */
export const approved = (sources: Sources, happening: HappeningPayload) => load(sources, happening, 'approved')

/** A booking request that was declined. */
export const declined = (sources: Sources, happening: HappeningPayload) => load(sources, happening, 'declined')

/** The member who asked; a guest has a letter of their own. */
export function requester({ row }: Request): Concerned {
  return members(row.requester ? [row.requester.orgUserId] : [])
}

async function load(
  { database }: Sources,
  { organizationId, subjectId }: HappeningPayload,
  wanted: BookingRequestStatus,
): Promise<Request | null> {
  const row = await unlessGone(findBookingRequest(database, organizationId, subjectId))
  if (row?.status !== wanted) return null
  return {
    row,
    id: row.id,
    title: row.title,
    start: row.starts_at,
    end: row.ends_at,
    zone: row.time_zone_name,
    resource: row.resource?.name ?? null,
    requester: row.requester?.name ?? row.guest_name ?? 'A guest',
    reservationId: row.reservation_id,
    reason: row.reason,
  }
}
