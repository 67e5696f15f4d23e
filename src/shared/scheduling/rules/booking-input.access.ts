import { identityErrors } from '../../identity/identity.errors.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { SeatInput } from './booking-input.types.ts'

/**
 * Returns the requested location, or else the resource's. Implements interface §Reservations (`location`).
 * @throws Invalid when the organization does not have it.
 */
export async function locationOf(
  db: Db,
  actor: Actor,
  requested: number | null,
  ofResource: number | null,
): Promise<number | null> {
  if (requested === null || requested === ofResource) return ofResource
  const found = await db
    .selectFrom('location')
    .select('id')
    .where('organization_id', '=', actor.organizationId)
    .where('id', '=', requested)
    .executeTakeFirst()
  if (!found) throw identityErrors.unknownLocation({ field: 'location.id' })
  return requested
}

/**
 * Returns the seats with guests replaced by the id of the stored guest with the same email. One email is one guest, who
 * cannot be booked twice at the same time.
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
