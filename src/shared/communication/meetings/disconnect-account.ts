import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { NotFound } from '../../platform/kernel/errors.ts'
import type { MeetingProvider } from './connected-account.entity.ts'

/**
 * Deletes a member's account at a provider and its connections in progress.
 * @throws NotFound when no account is connected.
 */
export async function disconnectAccount(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  provider: MeetingProvider,
): Promise<void> {
  const forget = (table: 'connected_account' | 'connection_state') =>
    tx.db
      .deleteFrom(table)
      .where('organization_id', '=', organizationId)
      .where('membership_id', '=', orgUserId)
      .where('provider', '=', provider)
      .executeTakeFirst()
  await forget('connection_state')
  const { numDeletedRows } = await forget('connected_account')
  if (numDeletedRows === 0n) throw new NotFound('No account is connected there.')
}
