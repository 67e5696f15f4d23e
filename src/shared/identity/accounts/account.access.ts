import { LockMode } from '@mikro-orm/core'
import type { Tx } from '../../platform/db/transaction.ts'
import { Account } from '../accounts.tables.ts'
import type { SignedIn } from './sign-in.ts'

/**
 * Locks an account for changes that must run one at a time: reset links, address verification, deletion. Returns null
 * when the account is deleted.
 */
export async function lockAccount(tx: Tx, where: { id: number } | { email: string }): Promise<Account | null> {
  return tx.em.findOne(Account, { ...where, deletedAt: null }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/** Returns an account for a change, also a deleted one. */
export function loadAccount(tx: Tx, accountId: number): Promise<Account> {
  return tx.em.findOneOrFail(Account, accountId)
}

/** Returns the account if it is deleted; null when it is not deleted or does not exist. */
export function findAccountIfDeleted(tx: Tx, accountId: number): Promise<Account | null> {
  return tx.em.findOne(Account, { id: accountId, deletedAt: { $ne: null } })
}

/**
 * Makes a membership the active one of the account: the next sign-in opens its organization. Returns the claims of the
 * token to issue.
 * Implements interface §Authentication rule 2.
 */
export async function activateMembership(
  tx: Tx,
  accountId: number,
  { id, organizationId }: { id: number; organizationId: number },
): Promise<SignedIn> {
  await tx.em.nativeUpdate(Account, { id: accountId }, { activeMembershipId: id })
  return { accountId, organizationId, membershipId: id }
}

/**
 * The tables that `endAccess` clears. Their rows give access without a password, or list the networks of past sign-ins.
 */
const membershipTables = ['calendar_feed', 'connected_account', 'connection_state'] as const
const accountTables = ['push_device', 'sign_in_network'] as const

/**
 * Revokes all access that an account had before this instant: tokens, reset links, calendar addresses, push devices,
 * connected accounts and known networks. Another person may hold any of them.
 * Implements interface §Authentication and accounts, POST /auth/reset-password.
 */
export async function endAccess(tx: Tx, account: Account): Promise<void> {
  account.tokensValidFrom = tx.now
  await endResetLinks(tx, account.id)
  for (const table of accountTables) await tx.db.deleteFrom(table).where('account_id', '=', account.id).execute()
  for (const table of membershipTables) {
    await tx.db
      .deleteFrom(table)
      .where((eb) =>
        eb(
          eb.refTuple('organization_id', 'membership_id'),
          'in',
          eb
            .selectFrom('membership')
            .select(['membership.organization_id', 'membership.id'])
            .where('membership.account_id', '=', account.id)
            .$asTuple('organization_id', 'id'),
        ),
      )
      .execute()
  }
}

/**
 * Marks the unused reset links of an account as used, so that they no longer work. The caller holds the account's lock.
 */
export async function endResetLinks(tx: Tx, accountId: number): Promise<void> {
  await tx.db
    .updateTable('mail_token')
    .set({ used_at: tx.now })
    .where('account_id', '=', accountId)
    .where('purpose', '=', 'reset_password')
    .where('used_at', 'is', null)
    .execute()
}
