import type { Db } from '../../platform/db/database.ts'
import type { SeatInput } from '../rules/booking-input.types.ts'

/** The key of a booking request. */
interface RequestKey {
  organizationId: number
  bookingRequestId: number
}

/** Returns the email of a guest's request; null for a member's request, and when the organization has no such request. */
export async function findEmailOfGuest(db: Db, organizationId: number, id: number): Promise<string | null> {
  const row = await db
    .selectFrom('booking_request')
    .select('guest_email')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.guest_email ?? null
}

/** Returns the people on a request as the seats of a booking, in order. */
export async function findRequestedSeats(
  db: Db,
  { organizationId, id }: { organizationId: number; id: number },
): Promise<SeatInput[]> {
  const rows = await db
    .selectFrom('booking_request_seat')
    .select(['side', 'membership_id', 'guest_id'])
    .where('organization_id', '=', organizationId)
    .where('booking_request_id', '=', id)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ side, membership_id: orgUserId, guest_id: guestId }, at): SeatInput[] => {
    const index = rows.slice(0, at).filter((earlier) => earlier.side === side).length
    if (orgUserId !== null) return [{ side, index, orgUserId }]
    return guestId === null ? [] : [{ side, index, guestId }]
  })
}

/**
 * Returns the requester (a member or a guest) of the request that was approved as this booking; undefined when there was no
 * request.
 */
export function findRequesterOf(db: Db, organizationId: number, reservationId: number) {
  return db
    .selectFrom('booking_request')
    .select(['requester_id', 'guest_id'])
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .executeTakeFirst()
}

/** Returns the id of the booking that was made from a request; null when there is none. */
export async function findBookingOf(db: Db, { organizationId, bookingRequestId }: RequestKey): Promise<number | null> {
  const row = await db
    .selectFrom('booking_request')
    .select('reservation_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', bookingRequestId)
    .executeTakeFirst()
  return row?.reservation_id ?? null
}

/** Returns the fields of the confirmation mail of a guest's request; undefined once its link is used or has expired. */
export function findUnconfirmedRequest(db: Db, { organizationId, bookingRequestId }: RequestKey, now: Date) {
  return db
    .selectFrom('booking_request as q')
    .innerJoin('organization as o', 'o.id', 'q.organization_id')
    .leftJoin('resource as x', 'x.id', 'q.resource_id')
    .select(['q.title', 'q.starts_at', 'q.ends_at', 'q.time_zone_name', 'q.guest_email', 'q.held_until', 'q.seed'])
    .select('q.hold_ended_at')
    .select(['o.name as organization', 'x.name as resource'])
    .where('q.organization_id', '=', organizationId)
    .where('q.id', '=', bookingRequestId)
    .where('q.status', '=', 'awaiting_confirmation')
    .where('q.token_expires_at', '>', now)
    .executeTakeFirst()
}

/**
 * Returns the fields of the mail about the desk's decision; undefined for an unknown request. Title and times are those of
 * the booking, or else of the request. `pay_url` is the payment page of the package; null when it is paid, or when it is not
 * issued yet: then a separate mail follows.
 */
export function findDecidedRequest(db: Db, { organizationId, bookingRequestId }: RequestKey) {
  return db
    .selectFrom('booking_request as q')
    .innerJoin('organization as o', 'o.id', 'q.organization_id')
    .leftJoin('reservation as r', (join) =>
      join.onRef('r.organization_id', '=', 'q.organization_id').onRef('r.id', '=', 'q.reservation_id'),
    )
    .leftJoin('resource as x', (join) =>
      join.onRef('x.organization_id', '=', 'q.organization_id').onRef('x.id', '=', 'r.resource_id'),
    )
    .select((eb) => [
      'q.status',
      'q.guest_name',
      'q.guest_email',
      'q.guest_id',
      'q.reservation_id',
      'q.reason',
      'q.collection_style',
      'o.name as organization',
      'o.time_zone_name as zone',
      'x.name as resource',
      'r.cancelled_at',
      eb.fn.coalesce('r.title', 'q.title').as('title'),
      eb.fn.coalesce('r.starts_at', 'q.starts_at').as('start'),
      eb.fn.coalesce('r.ends_at', 'q.ends_at').as('end'),
      eb
        .selectFrom('invoice as i')
        .select('i.pay_url')
        .whereRef('i.organization_id', '=', 'q.organization_id')
        .whereRef('i.reservation_id', '=', 'q.reservation_id')
        .where('i.status', '=', 'open')
        .limit(1)
        .as('pay_url'),
    ])
    .where('q.organization_id', '=', organizationId)
    .where('q.id', '=', bookingRequestId)
    .executeTakeFirst()
}
