import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { identityErrors } from '../identity.errors.ts'
import { findAccountToSignIn, findMemberships } from './account.queries.ts'
import { passwordFits } from './hash-password.ts'

/** The claims of the token to issue. Organization and membership are null for an account without a membership. */
export interface SignedIn {
  accountId: number
  organizationId: number | null
  membershipId: number | null
  /**
   * When the person proved their identity in this request, by a password or a mailed link, in milliseconds since 1970.
   * Absent when they did not.
   */
  authTime?: number
}

/**
 * Checks email and password. Returns the account with its active membership, or with its oldest one when the active one
 * has ended.
 * Implements interface §Authentication and accounts, POST /auth.
 * @throws Unauthenticated with the same message, after the same time, whether or not the account exists.
 */
export async function signIn(db: Db, input: { email: string; password: string }, now: Date): Promise<SignedIn> {
  const account = await findAccountToSignIn(db, input.email)
  if (!(await passwordFits(input.password, account?.password_hash || null)) || !account) {
    throw identityErrors.signInWrong()
  }
  return {
    accountId: account.id,
    organizationId: account.organization_id,
    membershipId: account.membership_id,
    authTime: now.getTime(),
  }
}

/**
 * Records that an account signed in from a network, at most once per hour. `network` is a keyed hash that only the
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

/**
 * Records a sign-in in the audit log of the organization that it opens. The person's other organizations get no entry.
 * Does nothing for an account without a membership.
 */
export async function recordSignIn(tx: Tx, { organizationId, membershipId }: SignedIn): Promise<void> {
  if (organizationId === null || membershipId === null) return
  const by = { organizationId, orgUserId: membershipId }
  emit(tx, by, { kind: 'session.started', subject: { kind: 'member', id: membershipId } })
}

/**
 * Records a refused sign-in in the audit log of each organization of which the account with the address is a member;
 * records nothing for an unknown address. The commit does not wait for the disk, because the delay would reveal that
 * the address is known. A crash can therefore lose the entry.
 */
export async function recordRefusedSignIn(tx: Tx, email: string): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx.db)
  for (const { organizationId, orgUserId: id } of await findMemberships(tx.db, { email })) {
    const by = { organizationId, orgUserId: null }
    emit(tx, by, { kind: 'session.refused', subject: { kind: 'member', id } })
  }
}
