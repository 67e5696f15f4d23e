import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { Unauthenticated } from '../../platform/kernel/errors.ts'
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
  const account = await db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join.onRef('membership.account_id', '=', 'account.id').on('membership.removed_at', 'is', null),
    )
    .select(['account.id', 'account.password_hash', 'membership.id as membership_id', 'membership.organization_id'])
    .where('account.email', '=', input.email)
    .where('account.deleted_at', 'is', null)
    .orderBy(sql`membership.id is not distinct from account.active_membership_id`, 'desc')
    .orderBy('membership.id')
    .limit(1)
    .executeTakeFirst()
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
