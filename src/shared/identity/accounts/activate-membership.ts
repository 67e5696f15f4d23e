import type { Tx } from '../../platform/db/transaction.ts'
import type { SignedIn } from './sign-in.ts'

/** Makes an organization the account's active one: the next sign-in leads there. Answers whose token to issue. */
export async function activateMembership(
  tx: Tx,
  membership: { id: number; accountId: number; organizationId: number },
): Promise<SignedIn> {
  const { id, accountId, organizationId } = membership
  await tx.db.updateTable('account').set({ active_membership_id: id }).where('id', '=', accountId).execute()
  return { accountId, organizationId, membershipId: id }
}
