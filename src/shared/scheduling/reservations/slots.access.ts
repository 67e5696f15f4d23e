import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { peopleOf, type SeatInput } from '../rules/booking-input.types.ts'

/**
 * Locks resources and people until the commit, so that bookings and slot holds of one slot run one at a time: the first
 * succeeds, and the rules refuse the others with a problem. The exclusion constraints of the database are the last guard. All
 * callers take the locks in the same order, which prevents deadlocks. docs/decisions/0004.
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

/** Blocks bookings of these members until the commit, so that a member who leaves cannot be booked at the same time. */
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
