import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'

/** Returns how many late cancellations in free categories somebody chose since an instant. */
export async function countFreeSince(
  db: Db,
  organizationId: number,
  { orgUserId, guestId }: PayerId,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ free: number }>`
    select count(*)::int as free from cancellation_fee
    where organization_id = ${organizationId} and (membership_id = ${orgUserId} or guest_id = ${guestId})
      and cents = 0 and cancelled_at > ${since}`.execute(db)
  return rows[0]!.free
}
