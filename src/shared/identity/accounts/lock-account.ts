import { LockMode } from '@mikro-orm/core'
import type { Tx } from '../../platform/db/transaction.ts'
import { Account } from './account.entity.ts'

/**
 * Locks an account for changes that must run one at a time: reset links, address verification, deletion. Returns null
 * when the account is deleted.
 */
export async function lockAccount(tx: Tx, where: { id: number } | { email: string }): Promise<Account | null> {
  return tx.em.findOne(Account, { ...where, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}
