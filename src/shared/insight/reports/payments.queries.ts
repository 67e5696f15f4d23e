import { type RawBuilder, sql } from 'kysely'
import { refundAskedBy } from '../../billing/credit-notes/credit-note.queries.ts'
import type { PersonRow } from '../../identity/members/named.queries.ts'
import { personJson } from '../../identity/members/named.queries.ts'
import { localTime } from '../../platform/db/local-time.ts'
import { oneOf } from '../../platform/db/read-rows.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import type { ReportScope } from './flown.queries.ts'

/**
 * The amounts that one person received, reversed and refunded on a local day by one method, in cents. `recordedBy` is
 * null for what the payment processor did by itself.
 */
export interface PaymentsRow {
  date: string
  recordedBy: PersonRow | null
  method: string
  payments: number
  amountCents: Cents
  /** The payments, received on any day, that were reversed on that day: bounced checks, lost disputes. */
  reversedCents: Cents
  /** What somebody else reversed on that day of what this person recorded. */
  reversedByOthersCents: Cents
  /** The refunds of that day. */
  refundedCents: Cents
}

/**
 * Selects the payments of a window by local day, by the person who recorded them and by method. Reversals belong to the
 * person who reversed the payment. Refunds belong to the person who requested them and have the method `offline` (by
 * hand) or `card`. Each counts on the day on which it happened, so that a cash drawer can be checked against a day and
 * a past day does not change. Payments of an invoice that is void by now stay. Deposits by hand have the method
 * `deposit`; other movements of members' accounts are not included.
 * With `recordedBy`, only what these members recorded, reversed or refunded.
 * Implements interface §Reports and the desk grants of the interface.
 */
export function selectPayments(
  { organizationId, window: { start, end } }: ReportScope,
  zone: string,
  recordedBy?: readonly number[],
): RawBuilder<PaymentsRow> {
  const within = (at: RawBuilder<unknown>) => sql`${at} >= ${start} and ${at} < ${end}`
  return sql<PaymentsRow>`
    select to_char(day, 'YYYY-MM-DD') as date, ${personJson<PersonRow | null>('recorded_by')} as "recordedBy", method,
      payments::int, amount::bigint as "amountCents", reversed::bigint as "reversedCents",
      by_others::bigint as "reversedByOthersCents", refunded::bigint as "refundedCents"
    from (
      select ${localTime(sql`m.at`, zone, { start, end })}::date as day, m.by as recorded_by, m.method, sum(m.payments) as payments,
        sum(m.amount) as amount, sum(m.reversed) as reversed, sum(m.by_others) as by_others, sum(m.refunded) as refunded
      from (
        select p.received_at as at, p.recorded_by as by, p.method, 1 as payments, p.amount_cents as amount,
          0 as reversed, 0 as by_others, 0 as refunded
        from payment p where p.organization_id = ${organizationId} and p.method <> 'ledger' and ${within(sql`p.received_at`)}
        union all
        select p.reversed_at, w.by, p.method, 0, 0, w.reversed, p.reversed_cents - w.reversed, 0
        from payment p cross join lateral (select p.reversed_by as by, p.reversed_cents as reversed
          union all select p.recorded_by, 0 where p.recorded_by <> p.reversed_by) w
        where p.organization_id = ${organizationId} and p.method <> 'ledger' and ${within(sql`p.reversed_at`)}
        union all
        select p.overpaid_returned_at, null, 'card', 0, 0, 0, 0, p.overpaid_cents
        from payment p where p.organization_id = ${organizationId} and ${within(sql`p.overpaid_returned_at`)}
        union all
        select c.refunded_at, ${refundAskedBy},
          case c.refund when 'offline' then 'offline' else 'card' end, 0, 0, 0, 0, c.refunded_cents
        from credit_note c where c.organization_id = ${organizationId} and ${within(sql`c.refunded_at`)}
          and c.refund in ('offline', 'processor')
        union all
        select r.recorded_at, r.recorded_by, 'deposit', 1, r.amount_cents, 0, 0, 0
        from receipt r where r.organization_id = ${organizationId} and r.ledger_entry_id is not null and ${within(sql`r.recorded_at`)}
        union all
        select e.created_at, w.by, 'deposit', 0, 0, w.reversed, r.amount_cents - w.reversed, 0
        from receipt r join ledger_entry e on e.organization_id = r.organization_id and e.reverses_id = r.ledger_entry_id
        cross join lateral (select e.created_by as by, r.amount_cents as reversed
          union all select r.recorded_by, 0 where r.recorded_by <> e.created_by) w
        where r.organization_id = ${organizationId} and ${within(sql`e.created_at`)}) m
      group by 1, 2, 3) entry
    where ${recordedBy ? oneOf(sql`recorded_by`, recordedBy) : sql`true`}
    order by day, recorded_by nulls last, method`
}
