import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { keptSince } from '../../platform/retention/retention.rules.ts'

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
    .where('sign_in_network.updated_at', '>', keptSince(now, 'signInNetwork'))
    .executeTakeFirst()
  return row !== undefined
}
