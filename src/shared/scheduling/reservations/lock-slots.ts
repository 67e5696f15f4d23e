import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { peopleOf, type SeatInput } from '../rules/booking-input.ts'

/**
 * Lets one booking or hold at a time be decided for each resource and person, until the commit: of many that want one slot the
 * first has it, and each of the others sees that and is told by the rule. The database's own refusal of a double
 * booking stands behind this. Everyone takes the locks in one order, so nobody waits in a circle.
 */
export async function lockSlots(
  db: Db,
  { resourceIds, seats }: { resourceIds: readonly number[]; seats: readonly SeatInput[] },
): Promise<void> {
  const { memberIds, guestIds } = peopleOf(seats)
  const newcomers = seats.flatMap((seat) => ('name' in seat && seat.email !== null ? [seat.email] : []))
  await lock(db, [
    ...resourceIds.map((id) => `resource ${id}`),
    ...memberIds.map((id) => `member ${id}`),
    ...guestIds.map((id) => `guest ${id}`),
    ...newcomers.map((email) => `guest ${email}`),
  ])
}

/** Holds off bookings of these members until the commit: of those who leave nobody can be booked meanwhile. */
export async function lockMembers(db: Db, orgUserIds: readonly number[]): Promise<void> {
  await lock(
    db,
    orgUserIds.map((id) => `member ${id}`),
  )
}

async function lock(db: Db, keys: string[]): Promise<void> {
  if (keys.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtextextended('booking ' || key, 0))
    from unnest(${keys.sort()}::text[]) as key`.execute(db)
}
