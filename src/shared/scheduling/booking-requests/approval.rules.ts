import type { SeatInput } from '../rules/booking-input.ts'

/** Who asked: a member, or a guest who has confirmed it. */
export interface Asker {
  requesterId?: number | null | undefined
  guestId?: number | null | undefined
  guestEmail?: string | null | undefined
}

/**
 * Who sits on the approved booking: those the desk names or else those on the request, with the instructor whom the
 * desk names in place of the instructors there. A guest who asked takes the guest's seat.
 */
export function approvedSeats(
  asked: readonly SeatInput[],
  { guestId }: Asker,
  { seats, instructorOrgUserId }: { seats?: SeatInput[] | undefined; instructorOrgUserId: number | null },
): SeatInput[] {
  if (seats) return seats
  const others = asked.filter((seat) => instructorOrgUserId === null || seat.side !== 'instructors')
  const instructor: SeatInput[] =
    instructorOrgUserId === null ? [] : [{ side: 'instructors', index: 0, orgUserId: instructorOrgUserId }]
  const guest: SeatInput[] =
    guestId == null || others.some((seat) => seat.side === 'guests') ? [] : [{ side: 'guests', index: 0, guestId }]
  return [...instructor, ...others, ...guest]
}

/** Whether whoever asked has a seat; a guest may be named by the address that they asked with. */
export function isOnIt({ requesterId, guestId, guestEmail }: Asker, seats: readonly SeatInput[]): boolean {
  return seats.some((seat) => {
    if ('orgUserId' in seat) return seat.orgUserId === requesterId
    return 'guestId' in seat ? seat.guestId === guestId : seat.email !== null && seat.email === guestEmail
  })
}
