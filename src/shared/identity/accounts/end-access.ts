import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Account } from './account.entity.ts'

/** Tables whose rows give access, or reveal past access, without a password. */
const ofMemberships = ['calendar_feed', 'connected_account', 'connection_state'] as const
const ofAccount = ['push_device', 'sign_in_network'] as const

/**
 * Revokes all access that an account had before this instant: tokens, reset links, calendar addresses, push devices,
 * connected accounts and known networks. Another person may hold any of them.
 */
export async function endAccess(tx: Tx, account: Account): Promise<void> {
  account.tokensValidFrom = tx.now
  await endResetLinks(tx, account.id)
  for (const table of ofAccount) await tx.db.deleteFrom(table).where('account_id', '=', account.id).execute()
  for (const table of ofMemberships) {
    await sql`delete from ${sql.table(table)} where (organization_id, membership_id) in
      (select organization_id, id from membership where account_id = ${account.id})`.execute(tx.db)
  }
}

/** Ends the open reset links of an account. The caller holds the account's lock. */
export async function endResetLinks(tx: Tx, accountId: number): Promise<void> {
  await tx.db
    .updateTable('mail_token')
    .set({ used_at: tx.now })
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'reset_password')
    .where('used_at', 'is', null)
    .execute()
}
