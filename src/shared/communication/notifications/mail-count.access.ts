import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/** The counters of mails, and of requests that cause a mail. Each counter has its own limits. */
export type MailScope =
  | 'address'
  | 'owed_address'
  | 'charge_address'
  | 'charge_mailbox_hour'
  | 'charge_flight'
  | 'organization'
  | 'owner'
  | 'asked_address'
  | 'asked_network'
  | 'asked_organization_hour'
  | 'asked_organization'
  | 'asked_owner'
  | 'all_mail'
  | 'all_mail_owner'
  | 'receiver'
  | 'given_up'

/**
 * A limit on a counter. `key` is an id or a hash. `per` is the period after which the counter starts at 0 again: an
 * hour or a day of the clock in UTC.
 */
export interface MailLimit {
  scope: MailScope
  key: string
  per: 'hour' | 'day'
  most: number
}

/**
 * Adds one to the counter of each limit in one statement. All processes share the counters, and concurrent transactions
 * wait for each other. Returns the limits that are reached already. If there are any, the caller undoes the counting of
 * the others.
 */
export async function countAgainst(tx: Tx, limits: readonly MailLimit[]): Promise<MailLimit[]> {
  const most = sql.join(
    limits.map(({ scope, key, most: limit }) => sql`when c.scope = ${scope} and c.key = ${key} then ${limit}::int`),
    sql` `,
  )
  const { rows } = await sql<{ scope: string; key: string }>`
    insert into mail_count as c (scope, key, day, mails, created_at)
    select scope, key, day, 1, ${tx.now} from unnest(${limits.map(({ scope }) => scope)}::text[],
      ${limits.map(({ key }) => key)}::text[], ${limits.map(({ per }) => startOf(per, tx.now))}::text[])
      as counted (scope, key, day)
    order by scope, key
    on conflict (scope, key, day) do update set mails = c.mails + 1, updated_at = ${tx.now}
      where c.mails < case ${most} end
    returning scope, key`.execute(tx.db)
  return limits.filter(({ scope, key }) => !rows.some((row) => row.scope === scope && row.key === key))
}

/** Returns the seconds until the period of a limit ends. */
export function secondsLeft({ per }: Pick<MailLimit, 'per'>, now: Date): number {
  const length = PERIOD_MS[per]
  return Math.max(1, Math.ceil((length - (now.getTime() % length)) / 1000))
}

const PERIOD_MS = { hour: 3_600_000, day: 86_400_000 }

/** Returns the start of the period in UTC: `2026-11-21` for a day, `2026-11-21T12` for an hour. */
function startOf(per: MailLimit['per'], now: Date): string {
  return now.toISOString().slice(0, per === 'day' ? 10 : 13)
}
