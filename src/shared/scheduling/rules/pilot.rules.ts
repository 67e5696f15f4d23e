import type { BookingFacts, SeatFacts } from './booking-facts.types.ts'

/** Returns the members on the booking, each with the `field` and `orgUserId` for findings about the member. */
export function membersOn(seats: readonly SeatFacts[]) {
  return seats.flatMap((seat) => {
    if (!seat.member) return []
    const about = { field: `personnel.${seat.side}`, orgUserId: seat.orgUserId ?? undefined }
    return [{ seat, member: seat.member, about }]
  })
}

/** The side of the pilot in command when no instructor is on board. */
const pilotSides = { solo: 'students', rental: 'renters', shared: 'pilots' } as const

/** Returns whether a booking is supervised: an instructor is seated as such. Implements interface §Booking rules. */
export function isSupervised(seats: readonly SeatFacts[]): boolean {
  return seats.some(({ side }) => side === 'instructors')
}

/**
 * Returns the pilot in command: the instructor if one is seated; otherwise the student of a solo flight, the first renter of
 * a rental or the first pilot of a shared flight. Null for a ground lesson, maintenance, or a simulator without an
 * instructor. 14 CFR 61.3(c) and 61.56(c) apply to the pilot in command, not to everyone on board. Implements interface
 * §Booking rules.
 */
export function pilotInCommand({
  booking: { type },
  seats,
}: Pick<BookingFacts, 'booking' | 'seats'>): SeatFacts | null {
  if (type === 'ground' || type === 'maintenance') return null
  const instructor = seats.find(({ side }) => side === 'instructors')
  if (instructor) return instructor
  if (type !== 'solo' && type !== 'rental' && type !== 'shared') return null
  return seats.find(({ side }) => side === pilotSides[type]) ?? null
}
