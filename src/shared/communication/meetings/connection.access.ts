import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { AccountOwner } from './sealed-tokens.ts'

/**
 * Returns the sealed tokens of a connected account, locked, and whether a refresh is claimed by the database's clock;
 * undefined when none is connected.
 */
export function lockConnection(tx: Tx, { organizationId, orgUserId, provider }: AccountOwner) {
  return tx.db
    .selectFrom('connected_account')
    .select(['refresh_token', 'access_token', 'access_expires_at', 'broken_at', 'updated_at'])
    .select(sql<boolean>`coalesce(refresh_claimed_until > now(), false)`.as('claimed'))
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('provider', '=', provider)
    .forUpdate()
    .executeTakeFirst()
}
