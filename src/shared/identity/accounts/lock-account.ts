import { LockMode } from '@mikro-orm/core'
import type { Tx } from '../../platform/db/transaction.ts'
import { Account } from './account.entity.ts'

/** Locks an account for what must not happen twice at once to it: links, proofs and ends of it. Null when it is gone. */
export async function lockAccount(tx: Tx, where: { id: number } | { email: string }): Promise<Account | null> {
  return tx.em.findOne(Account, { ...where, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}
