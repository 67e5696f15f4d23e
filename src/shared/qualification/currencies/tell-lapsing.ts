import { sql } from 'kysely'
import { rolesOfMember } from '../../platform/db/roles-of-member.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { countedFlights } from './currency.queries.ts'
import { lapseAfter, statusAt } from './currency.rules.ts'
import { BATCH, notifyEnds } from './tell-ends.ts'

/** A member to whom a recent-flights currency applies, and the `count`th latest flight; null when there are fewer. */
interface Asked {
  organizationId: number
  orgUserId: number
  zone: string
  currencyId: number | null
  days: number
  warnDays: number
  tipping: Date | null
}

/**
 * Enqueues notifications to members who, without another flight, fall below the `count` of a recent-flights currency
 * within its `warnDays`, once per date. Reads at most `BATCH` members after an orgUserId. Returns the last of them, or
 * null when there are no more.
 */
export async function notifyLapsing(tx: Tx, after: number): Promise<number | null> {
  const { now } = tx
  const { rows } = await sql<Asked>`
    select m.organization_id as "organizationId", m.id as "orgUserId", o.time_zone_name as zone, c.id as "currencyId",
      c.flight_days as days, c.warn_days as "warnDays", t.starts_at as tipping
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
    rows.flatMap(({ currencyId, tipping, days, warnDays, zone, ...member }) => {
      if (currencyId === null || tipping === null) return []
      const endsAt = lapseAfter(tipping, days, zone)
      return statusAt(now, endsAt, warnDays) === 'expiring' ? [{ ...member, currencyId, endsAt }] : []
    }),
  )
  return rows.at(-1)?.orgUserId ?? null
}
