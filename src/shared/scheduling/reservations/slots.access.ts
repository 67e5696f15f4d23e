import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { peopleOf, type SeatInput } from '../rules/booking-input.types.ts'

/**
 * Locks resources and people until the commit, so that bookings and slot holds of one slot run one at a time: the first
 * succeeds, and the rules refuse the others with a problem. The exclusion constraints of the database are the last guard. All
 * callers take the locks in the same order, which prevents deadlocks. docs/decisions/0004.
 *
 * `planOnce` runs the other statements of the transaction with one plan per connection for all values (decision 10). They
 * must find few rows for all values, so it suits a booking and not a series or a bulk.
 */
export async function lockSlots(
  db: Db,
  { resourceIds, seats }: { resourceIds: readonly number[]; seats: readonly SeatInput[] },
  { planOnce = false }: { planOnce?: boolean } = {},
): Promise<void> {
  const { memberIds, guestIds } = peopleOf(seats)
  const newcomers = seats.flatMap((seat) => ('name' in seat && seat.email !== null ? [seat.email] : []))
  const keys = [
    ...resourceIds.map((id) => `resource ${id}`),
    ...memberIds.map((id) => `member ${id}`),
    ...guestIds.map((id) => `guest ${id}`),
    ...newcomers.map((email) => `guest ${email}`),
  ]
  await lock(db, keys, planOnce ? sql`, set_config('plan_cache_mode', 'force_generic_plan', true)` : sql``)
}

/** Blocks bookings of these members until the commit, so that a member who leaves cannot be booked at the same time. */
export async function lockMembers(db: Db, orgUserIds: readonly number[]): Promise<void> {
  await lock(
    db,
    orgUserIds.map((id) => `member ${id}`),
  )
}

async function lock(db: Db, keys: string[], setting: RawBuilder<unknown> = sql``): Promise<void> {
  if (keys.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtextextended('booking ' || key, 0)) ${setting}
    from unnest(${keys.sort()}::text[]) as key`.execute(db)
}
