import type { Tx } from '../../platform/db/transaction.ts'
import type { SignedIn } from './sign-in.ts'

/**
 * Makes an organization the account's active one, which the next sign-in opens. Returns for whom to issue a token.
 * Implements interface §Authentication rule 2.
 */
export async function activateMembership(
  tx: Tx,
  membership: { id: number; accountId: number; organizationId: number },
): Promise<SignedIn> {
  const { id, accountId, organizationId } = membership
  await tx.db.updateTable('account').set({ active_membership_id: id }).where('id', '=', accountId).execute()
  return { accountId, organizationId, membershipId: id }
}
