import type { Db } from '../../platform/db/database.ts'
import type { MeetingProvider } from './connected-account.entity.ts'

/** The member through whose account a meeting is made. */
export interface MeetingHost {
  connectedAccountId: number
  orgUserId: number
}

/**
 * The first of these members, in the order given, who has an account at the provider that works: connected, not
 * refused by the provider since, and the member has not left. Null when none has.
 */
export async function findMeetingHost(
  db: Db,
  organizationId: number,
  provider: MeetingProvider,
  orgUserIds: readonly number[],
): Promise<MeetingHost | null> {
  if (orgUserIds.length === 0) return null
  const rows = await db
    .selectFrom('connected_account')
    .innerJoin('membership', 'membership.id', 'connected_account.membership_id')
    .select(['connected_account.id as connectedAccountId', 'membership.id as orgUserId'])
    .where('connected_account.organization_id', '=', organizationId)
    .where('membership.organization_id', '=', organizationId)
    .where('connected_account.provider', '=', provider)
    .where('connected_account.membership_id', 'in', [...orgUserIds])
    .where('connected_account.broken_at', 'is', null)
    .where('membership.removed_at', 'is', null)
    .execute()
  const places = new Map(orgUserIds.map((orgUserId, place) => [orgUserId, place]))
  const place = (row: MeetingHost) => places.get(row.orgUserId) ?? Number.POSITIVE_INFINITY
  return rows.sort((a, b) => place(a) - place(b))[0] ?? null
}
