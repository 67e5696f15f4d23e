import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { Unauthenticated } from '../../platform/kernel/errors.ts'
import { findAccountToSignIn } from './account.queries.ts'
import { passwordFits } from './passwords.ts'

/** The account to issue a token for, and its organization. */
export interface SignedIn {
  accountId: number
  organizationId: number | null
  membershipId: number | null
  /** When this step verified the person's identity, in milliseconds since 1970; absent when it did not. */
  authTime?: number
}

/**
 * Checks email and password. The organization is the one that was active last, or else the one joined first.
 * Implements interface §Authentication and accounts, POST /auth.
 * @throws Unauthenticated with the same message, after the same time, whether or not the account exists.
 */
export async function signIn(db: Db, input: { email: string; password: string }, now: Date): Promise<SignedIn> {
  const account = await findAccountToSignIn(db, input.email)
  if (!(await passwordFits(input.password, account?.password_hash || null)) || !account) {
    throw new Unauthenticated('The email address or the password is not right.')
  }
  return {
    accountId: account.id,
    organizationId: account.organization_id,
    membershipId: account.membership_id,
    authTime: now.getTime(),
  }
}

/**
 * Records that an account signed in from a network, at most once an hour. `network` is a keyed hash that only the
 * service can compute.
 */
export async function recordNetwork(db: Db, accountId: number, network: string, now: Date): Promise<void> {
  await db
    .insertInto('sign_in_network')
    .values({ account_id: accountId, network, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['account_id', 'network'])
        .doUpdateSet({ updated_at: now })
        .where('sign_in_network.updated_at', '<', sql<Date>`${now}::timestamptz - interval '1 hour'`),
    )
    .execute()
}
