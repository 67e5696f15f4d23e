import type { Tx } from '../../platform/db/transaction.ts'
import { loadAccount } from './account.access.ts'

/**
 * Changes the account's name and phone number. A null phone number removes it.
 * Implements interface §Members, PATCH /users.
 */
export async function updateAccount(
  tx: Tx,
  accountId: number,
  changes: { name?: string | undefined; phone?: string | null | undefined },
): Promise<void> {
  const account = await loadAccount(tx, accountId)
  account.name = changes.name ?? account.name
  if (changes.phone !== undefined) account.phone = changes.phone
}
