import { type RawBuilder, sql } from 'kysely'
import type { PersonRow } from '../../identity/members/named.queries.ts'
import { personJson } from '../../identity/members/named.queries.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { ReportScope } from './flown.queries.ts'

/** What one person recorded on a local day by one method; null: what the payment processor took in. */
export interface PaymentsRow {
  date: string
  recordedBy: PersonRow | null
  method: string
  payments: number
  amountCents: Cents
  /** What of it was taken back since: bounced checks, lost disputes. */
  reversedCents: Cents
}

/**
 * Selects the payments that came in on the local days of a window, by who recorded them and by method, so that a drawer of
 * cash can be counted against it. Void invoices count nothing. Implements interface §Reports.
 */
export function selectPayments(
  { organizationId, window: { start, end } }: ReportScope,
  zone: string,
): RawBuilder<PaymentsRow> {
  return sql<PaymentsRow>`
    select to_char(day, 'YYYY-MM-DD') as date, ${personJson<PersonRow | null>('recorded_by')} as "recordedBy", method,
      payments::int, amount::bigint as "amountCents", reversed::bigint as "reversedCents"
    from (
      select p.organization_id, (p.received_at at time zone ${zone})::date as day, p.recorded_by, p.method,
        count(*) as payments, sum(p.amount_cents) as amount, sum(p.reversed_cents) as reversed
      from payment p
      join invoice i on i.organization_id = p.organization_id and i.id = p.invoice_id
      where p.organization_id = ${organizationId} and p.received_at >= ${start} and p.received_at < ${end}
        and i.status <> 'void'
      group by 1, 2, 3, 4) entry
    order by day, recorded_by nulls last, method`
}
