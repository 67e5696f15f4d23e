import type { BookingFacts, SeatFacts } from './booking-facts.types.ts'

/** Returns the members on the booking, each with the keys of what is found about them. */
export function membersOn(seats: readonly SeatFacts[]) {
  return seats.flatMap((seat) => {
    if (!seat.member) return []
    const about = { field: `personnel.${seat.side}`, orgUserId: seat.orgUserId ?? undefined }
    return [{ seat, member: seat.member, about }]
  })
}

/** On which side the pilot in command sits when no instructor is aboard. */
const pilotSides = { solo: 'students', rental: 'renters', shared: 'pilots' } as const

/** Decides whether a booking is supervised: an instructor is seated as such. */
export function isSupervised(seats: readonly SeatFacts[]): boolean {
  return seats.some(({ side }) => side === 'instructors')
}

/**
 * Returns who would be pilot in command: the instructor where one is seated, else the student of a solo, the first renter
 * of a rental or the first pilot of a shared flight; nobody of a ground lesson or of maintenance, nor in a simulator
 * without an instructor. The rules of 14 CFR 61.3(c) and 61.56(c) bind whoever acts as pilot in command, not everybody
 * aboard. Implements interface §Booking rules.
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
