import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/kernel/errors.ts'

/**
 * The orgUserIds that a user has, or had before they left, in an organization: the bookings of then stay theirs.
 * @throws NotFound when they were never in it.
 */
export async function findMembershipsOf(db: Db, organizationId: number, userId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('account_id', '=', userId)
    .execute()
  if (rows.length === 0) throw new NotFound()
  return rows.map(({ id }) => id)
}
