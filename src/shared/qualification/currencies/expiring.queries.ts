import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { rolesOfMember } from '../../platform/db/roles-of-member.ts'
import { BATCH_SIZE } from '../../platform/jobs/claim-batch.ts'
import { countedFlights } from './currency.queries.ts'

/** When a member's currency ends. */
export interface CurrencyEnd {
  organizationId: number
  currencyId: number
  orgUserId: number
  endsAt: Date
}

/**
 * Returns the recorded dates of all organizations that come within their currency's `warnDays` (of 24 hours) and that
 * their members were not notified of; none of members who left. At most `BATCH_SIZE`.
 */
export async function findEnds(db: Db, now: Date): Promise<CurrencyEnd[]> {
  const { rows } = await sql<CurrencyEnd>`
    select k.organization_id as "organizationId", k.currency_rule_id as "currencyId", k.membership_id as "orgUserId",
      k.expires_at as "endsAt"
    from currency_record k
    join currency_rule c on c.organization_id = k.organization_id and c.id = k.currency_rule_id
    join membership m on m.organization_id = k.organization_id and m.id = k.membership_id
    left join currency_notice n on n.organization_id = k.organization_id and n.currency_rule_id = k.currency_rule_id
      and n.membership_id = k.membership_id
    where k.expires_at > ${now} and k.expires_at <= ${now}::timestamptz + make_interval(hours => 24 * c.warn_days)
      and n.told_for is distinct from k.expires_at and m.removed_at is null
    order by k.membership_id, k.currency_rule_id
    limit ${BATCH_SIZE}`.execute(db)
  return rows
}

/** A member to whom a recent-flights currency applies, and the `count`th latest flight; null when there are fewer. */
export interface MemberFlights {
  organizationId: number
  orgUserId: number
  zone: string
  currencyId: number | null
  days: number
  warnDays: number
  decisive: Date | null
}

/**
 * Returns the recent-flights currencies of at most `BATCH_SIZE` members after an orgUserId, by orgUserId: of each member
 * at least one row.
 */
export async function findMemberFlights(db: Db, now: Date, after: number): Promise<MemberFlights[]> {
  const { rows } = await sql<MemberFlights>`
    select m.organization_id as "organizationId", m.id as "orgUserId", o.time_zone_name as zone, c.id as "currencyId",
      c.flight_days as days, c.warn_days as "warnDays", t.starts_at as decisive
    from (
      select * from membership m
      where m.id > ${after} and m.removed_at is null and exists (
        select from currency_rule c
        where c.organization_id = m.organization_id and c.kind = 'recent_flights' and c.warn_days > 0)
      order by m.id
      limit ${BATCH_SIZE}) m
    join organization o on o.id = m.organization_id
    left join currency_rule c on c.organization_id = m.organization_id and c.kind = 'recent_flights'
      and c.warn_days > 0 and (c.roles = '[]' or c.roles ?| ${rolesOfMember('m')})
    left join lateral (
      select s.starts_at ${countedFlights(sql`s.membership_id = m.id`, { start: now, end: now })}
      order by s.starts_at desc offset c.flight_count - 1 limit 1) t on true
    order by m.id, c.id`.execute(db)
  return rows
}
