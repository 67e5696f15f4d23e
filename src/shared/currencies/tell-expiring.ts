import { sql } from 'kysely'
import type { Tx } from '../db/transaction.ts'
import { notify } from '../notifications/notify.ts'

/** How many are told of in one transaction. */
const BATCH = 500

/**
 * Owes the word to members whose currency runs out within its `warnDays` (of 24 hours), once for each date on record: a
 * currency that is renewed is told of again. Several workers may do this at once. Answers whether there may be more.
 */
export async function tellOfExpiring(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ id: number; organizationId: number }>`
    update currency_record set expiry_told_for = expires_at
    where id in (
      select k.id from currency_record k
      join currency_rule c on c.organization_id = k.organization_id and c.id = k.currency_rule_id
      join membership m on m.organization_id = k.organization_id and m.id = k.membership_id
      where k.expires_at is not null and k.expiry_told_for is distinct from k.expires_at and k.expires_at > ${tx.now}
        and k.expires_at <= ${tx.now}::timestamptz + make_interval(hours => 24 * c.warn_days)
        and m.removed_at is null
      order by k.expires_at
      limit ${BATCH}
      for update of k skip locked)
    returning id, organization_id as "organizationId"`.execute(tx.db)
  for (const { id, organizationId } of rows) {
    notify(tx, { organizationId, kind: 'currency_expiring', subjectId: id, causedBy: null })
  }
  return rows.length === BATCH
}
