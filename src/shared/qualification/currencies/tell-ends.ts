import { sql } from 'kysely'
import { notify } from '../../communication/notifications/notify.ts'
import type { Tx } from '../../platform/db/transaction.ts'

/** How many ends one transaction searches. */
export const BATCH = 500

/** When a member's currency ends. */
export interface CurrencyEnd {
  organizationId: number
  currencyId: number
  orgUserId: number
  endsAt: Date
}

/** Enqueues one notification per end, in however many workers it is found: the table keeps the last end notified. */
export async function notifyEnds(tx: Tx, ends: readonly CurrencyEnd[]): Promise<void> {
  if (ends.length === 0) return
  const { rows } = await sql<{ id: number; organizationId: number }>`
    insert into currency_notice as n (organization_id, currency_rule_id, membership_id, told_for)
    select * from unnest(${ends.map((end) => end.organizationId)}::int[], ${ends.map((end) => end.currencyId)}::int[],
      ${ends.map((end) => end.orgUserId)}::int[], ${ends.map((end) => end.endsAt.toISOString())}::timestamptz[])
    on conflict (organization_id, currency_rule_id, membership_id)
      do update set told_for = excluded.told_for, updated_at = ${tx.now} where n.told_for <> excluded.told_for
    returning id, organization_id as "organizationId"`.execute(tx.db)
  for (const { id, organizationId } of rows) {
    notify(tx, { organizationId, kind: 'currency_expiring', subjectId: id, causedBy: null })
  }
}
