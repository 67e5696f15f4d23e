import type { SeatInput } from '../rules/booking-input.types.ts'

/** The requester: a member, or a guest who has confirmed the request. */
export interface Requester {
  requesterId?: number | null | undefined
  guestId?: number | null | undefined
  guestEmail?: string | null | undefined
}

/**
 * Returns the seats of the approved booking: those that the desk names, else those of the request, with the instructor
 * whom the desk names in place of the instructors there. A guest who asked takes the guest's seat. Implements interface
 * §Booking requests (approve).
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

/** Decides whether the requester has a seat; a guest also matches by the address of the request. */
export function isOnIt({ requesterId, guestId, guestEmail }: Requester, seats: readonly SeatInput[]): boolean {
  return seats.some((seat) => {
    if ('orgUserId' in seat) return seat.orgUserId === requesterId
    return 'guestId' in seat ? seat.guestId === guestId : seat.email !== null && seat.email === guestEmail
  })
}
