import { sql } from 'kysely'
import { noticeDueOf } from '../../communication/notifications/notify.ts'
import type { Db } from '../../platform/db/database.ts'
import { rolesOfMember } from '../../platform/db/read-rows.ts'
import { BATCH_SIZE } from '../../platform/jobs/claim-batch.ts'
import { countedFlights } from './currency.queries.ts'

/** When a member's currency ends, and which notice of that is due. */
export interface CurrencyEnd {
  organizationId: number
  currencyId: number
  orgUserId: number
  endsAt: Date
  days: number
}

/**
 * Returns the recorded dates of all organizations of which a notice is due that their members did not get; none of
 * members who left. At most `BATCH_SIZE`.
 */
export async function findEnds(db: Db, now: Date): Promise<CurrencyEnd[]> {
  const due = noticeDueOf(sql`k.expires_at`, now)
  const { rows } = await sql<CurrencyEnd>`
    select k.organization_id as "organizationId", k.currency_rule_id as "currencyId", k.membership_id as "orgUserId",
      k.expires_at as "endsAt", ${due} as days
    from currency_record k
    join membership m on m.organization_id = k.organization_id and m.id = k.membership_id
    left join currency_notice n on n.organization_id = k.organization_id and n.currency_rule_id = k.currency_rule_id
      and n.membership_id = k.membership_id
    where k.expires_at > ${now} and ${due} is not null and m.removed_at is null
      and (n.told_for is distinct from k.expires_at or n.told_days > ${due})
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
  decisive: Date | null
}

/**
 * Returns the recent-flights currencies of at most `BATCH_SIZE` members after an orgUserId, by orgUserId: of each member
 * at least one row.
 */
export async function findMemberFlights(db: Db, now: Date, after: number): Promise<MemberFlights[]> {
  const { rows } = await sql<MemberFlights>`
    select m.organization_id as "organizationId", m.id as "orgUserId", o.time_zone_name as zone, c.id as "currencyId",
      c.flight_days as days, t.starts_at as decisive
    from (
      select * from membership m
      where m.id > ${after} and m.removed_at is null and exists (
        select from currency_rule c
        where c.organization_id = m.organization_id and c.kind = 'recent_flights')
      order by m.id
      limit ${BATCH_SIZE}) m
    join organization o on o.id = m.organization_id
    left join currency_rule c on c.organization_id = m.organization_id and c.kind = 'recent_flights'
      and (c.roles = '[]' or c.roles ?| ${rolesOfMember('m')})
    left join lateral (
      select s.starts_at ${countedFlights(sql`s.membership_id = m.id`, { start: now, end: now })}
      order by s.starts_at desc offset c.flight_count - 1 limit 1) t on true
    order by m.id, c.id`.execute(db)
  return rows
}
