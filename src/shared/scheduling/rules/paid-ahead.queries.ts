import { type RawBuilder, sql } from 'kysely'
import { payerOfMember } from '../../identity/members/payer.queries.ts'

/**
 * Returns the SQL condition that a purchased package `p` with its invoice `b` covers a flight that ends at an instant: it is
 * not used up, is paid, not disputed, not credited in full, and has not expired by then.
 */
export function coversAt(endedAt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(p.remaining > 0 and b.status = 'paid' and b.dispute_status is distinct from 'open'
    and b.credited_cents < b.total_cents
    and (p.expires_after_days is null or b.paid_at + p.expires_after_days * interval '24 hours' > ${endedAt}))`
}

/**
 * SQL for what a member `m` has paid ahead: the balance of the payer's ledger in cents, and the member's packages that cover flights now,
 * oldest first; and whether the payer is exempt from taxes.
 */
export const accountOfMember: RawBuilder<unknown> = sql`json_build_object(
  'balance', coalesce((select l.balance_cents from ledger_entry l
    where l.organization_id = m.organization_id and l.membership_id = ${payerOfMember} order by l.id desc limit 1), 0),
  'taxExempt', (select y.tax_exempt from membership y where y.organization_id = m.organization_id and y.id = ${payerOfMember}),
  'packages', coalesce((select json_agg(json_build_object('unit', p.unit, 'remaining', p.remaining,
      'resourceIds', p.resource_ids, 'lineKinds', p.line_kinds) order by b.paid_at, p.id)
    from package_purchase p join invoice b on b.organization_id = p.organization_id and b.id = p.invoice_id
    where p.organization_id = m.organization_id and p.membership_id = m.id and ${coversAt(sql`now()`)}), '[]'))`

/** SQL condition that autopay was declined for an open invoice of the payer of the member `m`. */
export const cardDeclined: RawBuilder<unknown> = sql`exists (select from autopay_charge c
  join invoice i on i.organization_id = c.organization_id and i.id = c.invoice_id
  where c.organization_id = m.organization_id and c.membership_id = ${payerOfMember} and c.first_declined_at is not null
    and i.status = 'open')`
