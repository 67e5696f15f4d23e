import type { Tx } from '../../platform/db/transaction.ts'
import { Account } from './account.entity.ts'

/** Changes one's own name and phone number; a phone number of null is taken away. */
export async function updateAccount(
  tx: Tx,
  accountId: number,
  changes: { name?: string | undefined; phone?: string | null | undefined },
): Promise<void> {
  const account = await tx.em.findOneOrFail(Account, accountId)
  account.name = changes.name ?? account.name
  if (changes.phone !== undefined) account.phone = changes.phone
}
