import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { daysKept } from '../../platform/db/declare-table.ts'
import { keptSince } from '../../platform/retention/retention.rules.ts'
import { SignInNetwork } from '../accounts.tables.ts'

/**
 * Returns the account with this address for a sign-in: id, password hash, and membership. The membership is the active
 * one, or the oldest when the active one has ended; null when there is none. Undefined when no account has the address,
 * or it is deleted.
 */
export function findAccountToSignIn(db: Db, email: string) {
  return db
    .selectFrom('account')
    .leftJoin('membership', (join) =>
      join.onRef('membership.account_id', '=', 'account.id').on('membership.removed_at', 'is', null),
    )
    .select(['account.id', 'account.password_hash', 'membership.id as membership_id', 'membership.organization_id'])
    .where('account.email', '=', email)
    .where('account.deleted_at', 'is', null)
    .orderBy(sql`membership.id is not distinct from account.active_membership_id`, 'desc')
    .orderBy('membership.id')
    .limit(1)
    .executeTakeFirst()
}

/** Returns whether an address belongs to an account that is not deleted. */
export async function isAddressTaken(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .select('id')
    .where('email', '=', email)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the name and address of an account; undefined when it is deleted. */
export function findAddressee(db: Db, accountId: number) {
  return db
    .selectFrom('account')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the hash of an account's password; null when it has none or is deleted. */
export async function findPasswordHash(db: Db, accountId: number): Promise<string | null> {
  const row = await db
    .selectFrom('account')
    .select('password_hash')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.password_hash || null
}

/**
 * Returns whether the account with this address signed in from the network within the retention period (30 days).
 * Implements interface §Limits: sign-in, sign-up and password reset.
 */
export async function isKnownNetwork(db: Db, email: string, network: string, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('sign_in_network')
    .innerJoin('account', 'account.id', 'sign_in_network.account_id')
    .select('sign_in_network.id')
    .where('account.email', '=', email)
    .where('account.deleted_at', 'is', null)
    .where('sign_in_network.network', '=', network)
    .where('sign_in_network.updated_at', '>', keptSince(now, daysKept(SignInNetwork)))
    .executeTakeFirst()
  return row !== undefined
}

/** Selects the ids of all devices of an account except the `kept` devices that were registered last. */
export function selectSurplusDevices(db: Db, accountId: number, kept: number) {
  return db
    .selectFrom('push_device')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .offset(kept)
}

/**
 * Returns the present memberships of the account with this id or address; none when the account is deleted or unknown.
 */
export function findMemberships(db: Db, account: { id: number } | { email: string }) {
  const [column, value] = 'id' in account ? (['a.id', account.id] as const) : (['a.email', account.email] as const)
  return db
    .selectFrom('membership as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['m.id as orgUserId', 'm.organization_id as organizationId', 'a.name'])
    .where(column, '=', value)
    .where('a.deleted_at', 'is', null)
    .where('m.removed_at', 'is', null)
    .execute()
}
