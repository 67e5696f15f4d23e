import { type Actor, is } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import { Forbidden } from '../../platform/kernel/errors.ts'
import type { ReservationRow } from './reservation.queries.ts'

type WhoseBooking = Pick<ReservationRow, 'created_by'> & { seats: readonly { orgUserId: number | null }[] }

/** Decides whether a member is a booking party: on the booking, its creator, or staff. */
export function isBookingParty(row: WhoseBooking, actor: Actor): boolean {
  const seated = row.seats.some((seat) => seat.orgUserId === actor.orgUserId)
  return seated || row.created_by === actor.orgUserId || is(actor, staff)
}

/**
 * Only booking parties change and cancel a booking.
 * @throws Forbidden for everybody else.
 */
export function assertBookingParty(row: WhoseBooking, actor: Actor): void {
  if (!isBookingParty(row, actor)) throw new Forbidden('Only those on the booking, who made it, and staff may do this.')
}

/**
 * Only staff set the price of a booking that is paid in advance, so nobody sets their own.
 * @throws Forbidden for others.
 */
export function mustSetPrice(actor: Actor, collectionStyle: ReservationRow['collection_style']): void {
  if (collectionStyle !== 'prepaid_fixed' || is(actor, staff)) return
  throw new Forbidden('Only desk staff and instructors book for a price that is paid in advance.')
}
