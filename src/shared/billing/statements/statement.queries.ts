import { type RawBuilder, sql } from 'kysely'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { refundAskedBy } from '../credit-notes/credit-note.queries.ts'
import { balance } from '../invoices/invoice-filter.queries.ts'
import type { StatementEntry, statementKinds } from './statement.rules.ts'

type Kind = (typeof statementKinds)[number]

/** The SQL of one kind of entry over invoices `i`. `words`: its description. `cents`: what it adds to the amount that is owed. */
interface Part {
  kind: Kind
  at: RawBuilder<unknown>
  id: RawBuilder<unknown>
  number: RawBuilder<unknown>
  words: RawBuilder<unknown>
  cents: RawBuilder<unknown>
  /** What a package covered; absent for other kinds than `package`. */
  covered?: RawBuilder<unknown>
  from: RawBuilder<unknown>
}

const ofInvoice = (table: string, alias: string) =>
  sql`inv i join ${sql.table(table)} ${sql.ref(alias)} on ${sql.ref(`${alias}.organization_id`)} = i.organization_id
    and ${sql.ref(`${alias}.invoice_id`)} = i.id`

/** The refunded amount of a credit note `c`. It includes a refund that is not completed yet. */
const givenBack = sql`case when c.refund_status in ('waiting', 'pending') then c.refund_cents else c.refunded_cents end`
/**
 * The refunded amount of an invoice `i` in cents, without the refunds of credit notes and of overpaid amounts. It is the refund of a
 * void invoice or of a cancelled booking.
 */
export const refundedBeside = sql`(i.refunded_cents - coalesce((select sum(${givenBack}) from credit_note c
    where c.organization_id = i.organization_id and c.invoice_id = i.id), 0)
  - coalesce((select sum(p.overpaid_cents) from payment p
    where p.organization_id = i.organization_id and p.invoice_id = i.id), 0))`
const refundedAt = sql`coalesce(i.refunded_at, i.updated_at)`

const parts: Part[] = [
  {
    kind: 'invoice',
    at: sql`i.created_at`,
    id: sql`i.id`,
    number: sql`i.number`,
    cents: sql`i.total_cents`,
    from: sql`inv i`,
    words: sql`coalesce((select b.search_name || ': ' from membership b
        where b.organization_id = i.organization_id and b.id = i.billed_for_id), '') || coalesce(nullif(i.memo, ''), (select t.description from invoice_item t
      where t.organization_id = i.organization_id and t.invoice_id = i.id order by t.position limit 1), 'Invoice')`,
  },
  {
    kind: 'credit',
    at: sql`c.created_at`,
    id: sql`c.id`,
    number: sql`c.number`,
    cents: sql`-c.amount_cents`,
    words: sql`'Credit on invoice ' || i.number || ': ' || c.reason`,
    from: ofInvoice('credit_note', 'c'),
  },
  {
    kind: 'refund',
    // A note and its refund are written by one request, at clock readings that can differ: the refund never stands before its note.
    at: sql`greatest(c.created_at, coalesce(c.refunded_at, c.refund_asked_at))`,
    id: sql`c.id`,
    number: sql`c.number`,
    cents: givenBack,
    words: sql`case c.refund when 'processor' then 'Refund by the payment processor' when 'ledger' then 'Refund to the account'
      else 'Refund by hand' end || coalesce(', given by ' || (select w.search_name from membership w
        where w.organization_id = c.organization_id and w.id = ${refundAskedBy}), '')
      || case when c.refund_status in ('waiting', 'pending') then ', on its way' else '' end`,
    from: ofInvoice('credit_note', 'c'),
  },
  {
    kind: 'payment',
    at: sql`p.received_at`,
    id: sql`p.id`,
    number: sql`i.number`,
    cents: sql`-p.amount_cents`,
    words: sql`'Payment by ' || p.method || coalesce(', ' || p.reference, '')
      || coalesce(', noted by ' || (select w.search_name from membership w
        where w.organization_id = p.organization_id and w.id = p.recorded_by), '')`,
    from: ofInvoice('payment', 'p'),
  },
  {
    kind: 'payment',
    at: sql`greatest(p.received_at, p.reversed_at)`,
    id: sql`p.id`,
    number: sql`i.number`,
    cents: sql`p.reversed_cents`,
    words: sql`'Payment reversed: ' || p.reversal_reason`,
    from: ofInvoice('payment', 'p'),
  },
  {
    kind: 'refund',
    at: sql`greatest(p.received_at, coalesce(p.overpaid_returned_at, p.created_at))`,
    id: sql`p.id`,
    number: sql`i.number`,
    words: sql`'Refund of what was overpaid'`,
    cents: sql`p.overpaid_cents`,
    from: ofInvoice('payment', 'p'),
  },
  {
    kind: 'refund',
    at: refundedAt,
    id: sql`i.id`,
    number: sql`i.number`,
    words: sql`'Refund'`,
    cents: refundedBeside,
    from: sql`inv i`,
  },
  {
    kind: 'credit',
    at: refundedAt,
    id: sql`i.id`,
    number: sql`i.number`,
    words: sql`'Credit of what was refunded'`,
    cents: sql`case when i.status = 'paid' then -greatest(0, ${balance}) else 0 end`,
    from: sql`inv i`,
  },
  {
    kind: 'package',
    at: sql`i.created_at`,
    id: sql`i.id`,
    number: sql`i.number`,
    words: sql`coalesce(nullif(i.memo, ''), 'Invoice') || ', covered by ' || p.name`,
    cents: sql`0`,
    covered: sql`u.covered_cents`,
    from: sql`o
      join package_purchase p on p.organization_id = o.organization_id and p.membership_id = o.membership_id
      join package_use u on u.organization_id = p.organization_id and u.purchase_id = p.id and u.returned_at is null
      join invoice i on i.organization_id = u.organization_id and i.id = u.invoice_id and i.status not in ('void', 'failed')`,
  },
]

/** The entries of the member's account, without charges that an invoice shows and without entries of void or failed invoices. */
const onAccount = sql`
  select e.created_at as at, 'ledger' as kind, e.id, null::int as number,
    coalesce(nullif(e.memo, ''), replace(e.kind, '_', ' ')) as description, -e.amount_cents as amount, null::int as covered, 99 as part
  from ledger_entry e
  left join invoice i on i.organization_id = e.organization_id and i.id = e.invoice_id
  where e.organization_id = o.organization_id and e.membership_id = o.membership_id
    and (i.id is null or (i.status not in ('void', 'failed')
      and not (i.settlement = 'ledger' and e.kind in ('flight_charge', 'prepaid_charge', 'invoice_charge'))))`

/**
 * Returns a member's name, the balance at the start of a window in cents, and the entries in the window, oldest first; at most
 * `most` + 1 entries. The entries are invoices that are neither void nor failed, credits, payments, refunds, entries of the account,
 * and what packages covered. Positive amounts are owed to the school.
 * Implements interface §Invoices.
 */
export async function readStatement(
  source: Source,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  { start, end }: Interval,
  most: number,
): Promise<{ member: string; openingBalanceCents: Cents; entries: StatementEntry[] }> {
  const ofInvoices = parts.map(
    ({ kind, at, id, number, words, cents, covered = sql`null::int`, from }, part) => sql`
      select ${at} as at, ${sql.lit(kind)} as kind, ${id} as id, ${number} as number, ${words} as description,
        (${cents})::bigint as amount, ${covered} as covered, ${sql.lit(part)} as part from ${from}`,
  )
  const rows = await readRows(
    source,
    sql<StatementEntry & { kind: Kind | 'opening' }>`
    with o as (select ${organizationId}::int as organization_id, ${orgUserId}::int as membership_id),
    inv as materialized (select i.* from invoice i join o using (organization_id, membership_id)
      where i.status not in ('void', 'failed')),
    entry as (select * from (${sql.join(ofInvoices, sql` union all `)}
      union all select x.* from o cross join lateral (${onAccount}) x) every where amount <> 0 or covered <> 0)
    (select null::timestamptz as at, 'opening' as kind, 0 as id, null::int as number,
      (select m.search_name from membership m join o on m.organization_id = o.organization_id and m.id = o.membership_id)
        as description,
      coalesce(sum(amount), 0)::bigint as "amountCents", null::int as "packageCents"
      from entry where at < ${start})
    union all
    (select at, kind, id, number, description, amount, covered from entry where at >= ${start} and at < ${end}
      order by at, part, id limit ${most + 1})`,
  )
  const [opening, ...entries] = rows
  return {
    member: opening!.description,
    openingBalanceCents: opening!.amountCents,
    entries: entries as StatementEntry[],
  }
}
