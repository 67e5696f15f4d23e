import type { Actor } from '../../platform/authz/actor.ts'
import type { Db } from '../../platform/db/database.ts'

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
