import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'
import type { MeetingProvider } from '../communication.tables.ts'

/** A member's account at a provider, without its tokens. */
export type ConnectionRow = Awaited<ReturnType<typeof listConnections>>[number]

/** Returns the accounts that a member has connected. */
export function listConnections(db: Db, { organizationId, orgUserId }: Actor) {
  return db
    .selectFrom('connected_account')
    .select(['provider', 'account_email', 'connected_at', 'broken_at'])
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .execute()
}

/** The member whose account hosts a meeting. */
export interface MeetingHost {
  connectedAccountId: number
  orgUserId: number
}

/** Returns the first of the given members who has a usable account at the provider; null when nobody has one. */
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
