import { sql } from 'kysely'
import { notifyAbout } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { ClaimedRow } from '../../platform/jobs/claim-batch.ts'
import { lapseAfter, statusAt } from './currency.rules.ts'
import { type CurrencyEnd, findEnds, findMemberFlights } from './expiring.queries.ts'

/** Enqueues one notification per end, in however many workers it is found: the table keeps the last end notified. */
async function notifyEnds(tx: Tx, ends: readonly CurrencyEnd[]): Promise<void> {
  if (ends.length === 0) return
  const { rows } = await sql<ClaimedRow>`
    insert into currency_notice as n (organization_id, currency_rule_id, membership_id, told_for)
    select * from unnest(${ends.map((end) => end.organizationId)}::int[], ${ends.map((end) => end.currencyId)}::int[],
      ${ends.map((end) => end.orgUserId)}::int[], ${ends.map((end) => end.endsAt.toISOString())}::timestamptz[])
    on conflict (organization_id, currency_rule_id, membership_id)
      do update set told_for = excluded.told_for where n.told_for <> excluded.told_for
    returning id, organization_id as "organizationId"`.execute(tx.db)
  rows.forEach(notifyAbout(tx, 'currency_expiring'))
}

/**
 * Enqueues notifications of currencies that expire within their `warnDays` (of 24 hours), once per recorded date, so a
 * renewed currency gets another. Safe to run in several workers at once. Returns how many ends it looked at.
 */
export async function notifyExpiring(tx: Tx): Promise<number> {
  const ends = await findEnds(tx.db, tx.now)
  await notifyEnds(tx, ends)
  return ends.length
}

/**
 * Enqueues notifications to members who, without another flight, fall below the `count` of a recent-flights currency
 * within its `warnDays`, once per date. Reads at most a batch of members after an orgUserId. Returns the last of them, or
 * null when there are no more.
 */
export async function notifyLapsing(tx: Tx, after: number): Promise<number | null> {
  const rows = await findMemberFlights(tx.db, tx.now, after)
  await notifyEnds(
    tx,
    rows.flatMap(({ currencyId, decisive, days, warnDays, zone, ...member }) => {
      if (currencyId === null || decisive === null) return []
      const endsAt = lapseAfter(decisive, days, zone)
      return statusAt(tx.now, endsAt, warnDays) === 'expiring' ? [{ ...member, currencyId, endsAt }] : []
    }),
  )
  return rows.at(-1)?.orgUserId ?? null
}
