import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { communicationErrors } from '../communication.errors.ts'

/**
 * The most announcements in 24 hours that notify an audience. It applies to an organization, and to all organizations
 * of an owner together.
 */
export const MAILED_A_DAY = 10
const DAY_MS = 86_400_000

/**
 * Counts an announcement whose audience is notified now. The caller holds the organization's lock; this function also
 * locks the owners' accounts, so that concurrent announcements of their other organizations are counted.
 * @throws TooManyRequests when `most` announcements were counted in the last 24 hours
 */
export async function countMailing(tx: Tx, organizationId: number, most: number): Promise<void> {
  const since = new Date(tx.now.getTime() - DAY_MS)
  const owners = await lockOwners(tx, organizationId)
  const { rows } = await sql<{ mailedAt: Date }>`
    select counted.mailed_at as "mailedAt" from unnest(${owners}::int[]) as owner (id)
    cross join lateral (
      select g.mailed_at from membership m
      join announcement_mailing g on g.organization_id = m.organization_id and g.mailed_at > ${since}
      where m.account_id = owner.id and m.owner and m.removed_at is null
      order by g.mailed_at desc offset ${most - 1} limit 1) counted
    order by counted.mailed_at desc limit 1`.execute(tx.db)
  const [full] = rows
  if (full) {
    throw communicationErrors.mailingsUsedUp({
      retryAfterSeconds: Math.max(1, Math.ceil((full.mailedAt.getTime() + DAY_MS - tx.now.getTime()) / 1000)),
      limit: most,
    })
  }
  await tx.db
    .insertInto('announcement_mailing')
    .values({ organization_id: organizationId, mailed_at: tx.now })
    .execute()
}

/**
 * Locks the accounts of an organization's owners, and returns their ids. This is a statement of its own, so that the
 * next statement reads what concurrent transactions have committed.
 */
async function lockOwners(tx: Tx, organizationId: number): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('account as a')
    .innerJoin('membership as m', 'm.account_id', 'a.id')
    .select('a.id')
    .where('m.organization_id', '=', organizationId)
    .where('m.owner', '=', true)
    .where('m.removed_at', 'is', null)
    .orderBy('a.id')
    .forNoKeyUpdate('a')
    .execute()
  return rows.map((row) => row.id)
}
