import type { Db } from '../../platform/db/database.ts'
import { NotFound } from '../../platform/kernel/errors.ts'

/**
 * Returns the orgUserIds of a user in an organization, ended memberships included: past bookings keep their orgUserId.
 * @throws NotFound when the user was never a member.
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
