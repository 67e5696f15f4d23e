import type { Db } from '../../platform/db/database.ts'
import type { SeatInput } from './booking-input.ts'

/**
 * Finds the guests that a request names by an address which the organization knows already: the same email is the same
 * guest, who can be booked once at a time.
 */
export async function resolveGuestsByEmail(db: Db, organizationId: number, seats: SeatInput[]): Promise<SeatInput[]> {
  const emails = seats.flatMap((seat) => ('name' in seat && seat.email !== null ? [seat.email] : []))
  if (emails.length === 0) return seats
  const known = await db
    .selectFrom('guest')
    .select(['id', 'email'])
    .where('organization_id', '=', organizationId)
    .where('email', 'in', emails)
    .execute()
  return seats.map((seat) => {
    const guest = 'name' in seat && known.find(({ email }) => email === seat.email)
    return guest ? { side: seat.side, index: seat.index, guestId: guest.id } : seat
  })
}
