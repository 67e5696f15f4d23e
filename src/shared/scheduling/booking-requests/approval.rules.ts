import type { SeatInput } from '../rules/booking-input.types.ts'

/** The requester: a member, or a guest who has confirmed the request. */
export interface Requester {
  requesterId?: number | null | undefined
  guestId?: number | null | undefined
  guestEmail?: string | null | undefined
}

/**
 * Returns the seats of the approved booking: those that the desk sends, or else those of the request, with its
 * instructors replaced by the one whom the desk names. A guest who made the request takes the guest's seat. Implements
 * interface §Booking requests (approve).
 */
export function approvedSeats(
  requested: readonly SeatInput[],
  { guestId }: Requester,
  { seats, instructorOrgUserId }: { seats?: SeatInput[] | undefined; instructorOrgUserId: number | null },
): SeatInput[] {
  if (seats) return seats
  const others = requested.filter((seat) => instructorOrgUserId === null || seat.side !== 'instructors')
  const instructor: SeatInput[] =
    instructorOrgUserId === null ? [] : [{ side: 'instructors', index: 0, orgUserId: instructorOrgUserId }]
  const guest: SeatInput[] =
    guestId == null || others.some((seat) => seat.side === 'guests') ? [] : [{ side: 'guests', index: 0, guestId }]
  return [...instructor, ...others, ...guest]
}

/**
 * Returns whether the requester has a seat; a guest also matches by the email of the request. Implements
 * interface §Booking requests (approve).
 */
export function isOnIt({ requesterId, guestId, guestEmail }: Requester, seats: readonly SeatInput[]): boolean {
  return seats.some((seat) => {
    if ('orgUserId' in seat) return seat.orgUserId === requesterId
    return 'guestId' in seat ? seat.guestId === guestId : seat.email !== null && seat.email === guestEmail
  })
}
