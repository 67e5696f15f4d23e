import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { BATCH, type CurrencyEnd, notifyEnds } from './tell-ends.ts'

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
