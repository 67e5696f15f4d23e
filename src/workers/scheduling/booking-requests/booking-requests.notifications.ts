import type { DomainEvent } from '../../../shared/communication/communication.jobs.ts'
import type { Audience } from '../../../shared/communication/notifications/deliver-to-audience.ts'
import {
  type RequestTemplateData,
  requestApproved,
  requestDeclined,
  requestSubmitted,
} from '../../../shared/communication/notifications/templates/booking-request.rules.ts'
import { deskStaff } from '../../../shared/platform/authz/roles.ts'
import {
  type BookingRequestRow,
  findBookingRequest,
} from '../../../shared/scheduling/booking-requests/booking-request.queries.ts'
import type { BookingRequestStatus } from '../../../shared/scheduling/booking-requests/booking-request.states.ts'
import { findReservation } from '../../../shared/scheduling/reservations/one-reservation.queries.ts'
import {
  defineNotification,
  everyone,
  members,
  type NotificationSources,
  nullIfNotFound,
} from '../../communication/notifications/define-notification.ts'

type Request = RequestTemplateData & { row: BookingRequestRow }

/** Returns a booking request that is still pending; null otherwise. */
const undecided = (sources: NotificationSources, event: DomainEvent) => load(sources, event, ['pending'])

/** Returns a booking request that was declined or cancelled; null otherwise. */
const declined = (sources: NotificationSources, event: DomainEvent) => load(sources, event, ['declined', 'cancelled'])

/**
 * Returns an approved booking request with the present title, times and resource of its booking, which may differ from
 * the request; null when the request is not approved, or its booking is cancelled.
 */
async function approved(sources: NotificationSources, event: DomainEvent): Promise<Request | null> {
  const request = await load(sources, event, ['approved'])
  if (!request?.reservationId) return null
  const booking = await findReservation(sources.database, event.organizationId, request.reservationId)
  if (!booking || booking.cancelled_at) return null
  const { title, starts_at: start, ends_at: end, time_zone_name: zone } = booking
  return { ...request, title, start, end, zone, resource: booking.resource?.name ?? null }
}

/** Returns the member who made the request, as the audience; a guest gets a separate mail. */
function requester({ row }: Request): Audience {
  return members(row.requester ? [row.requester.orgUserId] : [])
}

async function load(
  { database }: NotificationSources,
  { organizationId, subjectId }: DomainEvent,
  wanted: readonly BookingRequestStatus[],
): Promise<Request | null> {
  const row = await nullIfNotFound(findBookingRequest(database, organizationId, subjectId))
  if (!row || !wanted.includes(row.status)) return null
  return {
    row,
    id: row.id,
    title: row.title,
    start: row.starts_at,
    end: row.ends_at,
    zone: row.time_zone_name,
    resource: row.resource?.name ?? null,
    requester: row.requester?.name ?? row.guest_name ?? 'A guest',
    byGuest: row.requester === null,
    reservationId: row.reservation_id,
    reason: row.reason,
    cancelled: row.status === 'cancelled',
  }
}

/** The notifications of booking requests: to the desk of a new one, to the requester of what was decided. */
export const requestNotifications = {
  booking_request_submitted: defineNotification(undecided, everyone(deskStaff), requestSubmitted),
  booking_request_approved: defineNotification(approved, requester, requestApproved),
  booking_request_declined: defineNotification(declined, requester, requestDeclined),
}
