import { type RawBuilder, sql } from 'kysely'
import { refundAskedBy } from '../../billing/credit-notes/credit-note.queries.ts'
import type { PersonRow } from '../../identity/members/named.queries.ts'
import { personJson } from '../../identity/members/named.queries.ts'
import { localTime } from '../../platform/db/local-time.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { ReportScope } from './flown.queries.ts'

/** What one person took in, took back and gave back on a local day by one method; null: what the payment processor did by itself. */
export interface PaymentsRow {
  date: string
  recordedBy: PersonRow | null
  method: string
  payments: number
  amountCents: Cents
  /** What was taken back on that day, of payments of any day: bounced checks, lost disputes. */
  reversedCents: Cents
  /** What was given back on that day. */
  refundedCents: Cents
}

/**
 * Selects the payments that came in on the local days of a window, by who recorded them and by method; what was taken back
 * on them, by who reversed the payment; and what was given back on them, by who asked for the refund, by hand (`offline`) or
 * to the card. So a drawer of cash can be counted against it, and a closed day stays as it was. Void invoices count nothing,
 * and movements of members' accounts are none. Implements interface §Reports.
 */
export function selectPayments(
  { organizationId, window: { start, end } }: ReportScope,
  zone: string,
): RawBuilder<PaymentsRow> {
  const within = (at: RawBuilder<unknown>) => sql`${at} >= ${start} and ${at} < ${end}`
  return sql<PaymentsRow>`
    select to_char(day, 'YYYY-MM-DD') as date, ${personJson<PersonRow | null>('recorded_by')} as "recordedBy", method,
      payments::int, amount::bigint as "amountCents", reversed::bigint as "reversedCents",
      refunded::bigint as "refundedCents"
    from (
      select ${localTime(sql`m.at`, zone, { start, end })}::date as day, m.by as recorded_by, m.method, sum(m.payments) as payments,
        sum(m.amount) as amount, sum(m.reversed) as reversed, sum(m.refunded) as refunded
      from (
        select p.invoice_id, p.received_at as at, p.recorded_by as by, p.method, 1 as payments, p.amount_cents as amount,
          0 as reversed, 0 as refunded
        from payment p where p.organization_id = ${organizationId} and ${within(sql`p.received_at`)}
        union all
        select p.invoice_id, p.reversed_at, p.reversed_by, p.method, 0, 0, p.reversed_cents, 0
        from payment p where p.organization_id = ${organizationId} and ${within(sql`p.reversed_at`)}
        union all
        select p.invoice_id, p.overpaid_returned_at, null, 'card', 0, 0, 0, p.overpaid_cents
        from payment p where p.organization_id = ${organizationId} and ${within(sql`p.overpaid_returned_at`)}
        union all
        select c.invoice_id, c.refunded_at, ${refundAskedBy},
          case c.refund when 'offline' then 'offline' else 'card' end, 0, 0, 0, c.refunded_cents
        from credit_note c where c.organization_id = ${organizationId} and ${within(sql`c.refunded_at`)}
          and c.refund in ('offline', 'processor')) m
      join invoice i on i.organization_id = ${organizationId} and i.id = m.invoice_id and i.status <> 'void'
      group by 1, 2, 3) entry
    order by day, recorded_by nulls last, method`
}
