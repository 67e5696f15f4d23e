import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import { rolesOfMember } from '../../platform/db/roles-of-member.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { countedFlights } from './currency.queries.ts'
import { lapseAfter, statusAt } from './currency.rules.ts'

/** How many ends one transaction searches. */
const BATCH = 500

/** When a member's currency ends. */
interface CurrencyEnd {
  organizationId: number
  currencyId: number
  orgUserId: number
  endsAt: Date
}

/** Enqueues one notification per end, in however many workers it is found: the table keeps the last end notified. */
async function notifyEnds(tx: Tx, ends: readonly CurrencyEnd[]): Promise<void> {
  if (ends.length === 0) return
  const { rows } = await sql<{ id: number; organizationId: number }>`
    insert into currency_notice as n (organization_id, currency_rule_id, membership_id, told_for)
    select * from unnest(${ends.map((end) => end.organizationId)}::int[], ${ends.map((end) => end.currencyId)}::int[],
      ${ends.map((end) => end.orgUserId)}::int[], ${ends.map((end) => end.endsAt.toISOString())}::timestamptz[])
    on conflict (organization_id, currency_rule_id, membership_id)
      do update set told_for = excluded.told_for where n.told_for <> excluded.told_for
    returning id, organization_id as "organizationId"`.execute(tx.db)
  for (const { id, organizationId } of rows) {
    notify(tx, { organizationId, kind: 'currency_expiring', subjectId: id, causedBy: null })
  }
}

/**
 * Enqueues notifications of currencies that expire within their `warnDays` (of 24 hours), once per recorded date, so a
 * renewed currency gets another. Safe to run in several workers at once. Returns whether there may be more.
 */
export async function notifyExpiring(tx: Tx): Promise<boolean> {
  const { rows } = await sql<CurrencyEnd>`
    select k.organization_id as "organizationId", k.currency_rule_id as "currencyId", k.membership_id as "orgUserId",
      k.expires_at as "endsAt"
    from currency_record k
    join currency_rule c on c.organization_id = k.organization_id and c.id = k.currency_rule_id
    join membership m on m.organization_id = k.organization_id and m.id = k.membership_id
    left join currency_notice n on n.organization_id = k.organization_id and n.currency_rule_id = k.currency_rule_id
      and n.membership_id = k.membership_id
    where k.expires_at > ${tx.now} and k.expires_at <= ${tx.now}::timestamptz + make_interval(hours => 24 * c.warn_days)
      and n.told_for is distinct from k.expires_at and m.removed_at is null
    order by k.membership_id, k.currency_rule_id
    limit ${BATCH}`.execute(tx.db)
  await notifyEnds(tx, rows)
  return rows.length === BATCH
}

/** A member to whom a recent-flights currency applies, and the `count`th latest flight; null when there are fewer. */
interface MemberFlights {
  organizationId: number
  orgUserId: number
  zone: string
  currencyId: number | null
  days: number
  warnDays: number
  decisive: Date | null
}

/**
 * Enqueues notifications to members who, without another flight, fall below the `count` of a recent-flights currency
 * within its `warnDays`, once per date. Reads at most `BATCH` members after an orgUserId. Returns the last of them, or
 * null when there are no more.
 */
export async function notifyLapsing(tx: Tx, after: number): Promise<number | null> {
  const { now } = tx
  const { rows } = await sql<MemberFlights>`
    select m.organization_id as "organizationId", m.id as "orgUserId", o.time_zone_name as zone, c.id as "currencyId",
      c.flight_days as days, c.warn_days as "warnDays", t.starts_at as decisive
    from (
      select * from membership m
      where m.id > ${after} and m.removed_at is null and exists (
        select from currency_rule c
        where c.organization_id = m.organization_id and c.kind = 'recent_flights' and c.warn_days > 0)
      order by m.id
      limit ${BATCH}) m
    join organization o on o.id = m.organization_id
    left join currency_rule c on c.organization_id = m.organization_id and c.kind = 'recent_flights'
      and c.warn_days > 0 and (c.roles = '[]' or c.roles ?| ${rolesOfMember('m')})
    left join lateral (
      select s.starts_at ${countedFlights(sql`s.membership_id = m.id`, { start: now, end: now })}
      order by s.starts_at desc offset c.flight_count - 1 limit 1) t on true
    order by m.id, c.id`.execute(tx.db)
  await notifyEnds(
    tx,
    rows.flatMap(({ currencyId, decisive, days, warnDays, zone, ...member }) => {
      if (currencyId === null || decisive === null) return []
      const endsAt = lapseAfter(decisive, days, zone)
      return statusAt(now, endsAt, warnDays) === 'expiring' ? [{ ...member, currencyId, endsAt }] : []
    }),
  )
  return rows.at(-1)?.orgUserId ?? null
}
