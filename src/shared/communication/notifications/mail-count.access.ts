import { sql } from 'kysely'
import { inSavepoint } from '../../platform/db/savepoint.ts'
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
  | 'by_member'
  | 'by_members'
  | 'by_members_owner'
  | 'newcomers'
  | 'newcomers_owner'
  | 'newcomers_receiver'
  | 'billed_payer'
  | 'given_up'
  | 'given_up_again'
  | 'counted'
  | 'account_mailbox'

/**
 * A limit on a counter. `key` is an id or a hash. `per` is the period after which the counter starts at 0 again: an
 * hour or a day of the clock in UTC. Null: the counter never starts again; it is deleted after two days.
 */
export interface MailLimit {
  scope: MailScope
  key: string
  per: 'hour' | 'day' | null
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

/** Sets the counters of the present period back to 0. */
export async function startAgain(tx: Tx, counters: readonly Omit<MailLimit, 'most'>[]): Promise<void> {
  for (const { scope, key, per } of counters) {
    await tx.db
      .deleteFrom('mail_count')
      .where('scope', '=', scope)
      .where('key', '=', key)
      .where('day', '=', startOf(per, tx.now))
      .execute()
  }
}

/**
 * Counts the one mail of a job against limits, all of them or none. A job can run several times for its mail, also when a
 * worker is killed or gets no connection; only the first run counts. Returns the limits that are reached, none when the mail
 * was counted before.
 */
export async function countOnce(tx: Tx, jobId: string, limits: readonly MailLimit[]): Promise<MailLimit[]> {
  const once: MailLimit = { scope: 'counted', key: jobId, per: null, most: 1 }
  const full = await inSavepoint(tx, async () => {
    const used = await countAgainst(tx, [once, ...limits])
    return { keep: used.length === 0, result: used }
  })
  return full.includes(once) ? [] : full
}

/** Returns the seconds until the period of a limit ends; 1 without a period. */
export function secondsLeft({ per }: Pick<MailLimit, 'per'>, now: Date): number {
  if (per === null) return 1
  const length = PERIOD_MS[per]
  return Math.max(1, Math.ceil((length - (now.getTime() % length)) / 1000))
}

const PERIOD_MS = { hour: 3_600_000, day: 86_400_000 }

/** Returns the start of the period in UTC: `2026-11-21` for a day, `2026-11-21T12` for an hour; empty without a period. */
function startOf(per: MailLimit['per'], now: Date): string {
  if (per === null) return ''
  return now.toISOString().slice(0, per === 'day' ? 10 : 13)
}
