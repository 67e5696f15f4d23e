import { type RawBuilder, sql } from 'kysely'
import { balance, overdueAt, unpaid } from '../../billing/invoices/invoice-filter.queries.ts'
import { worthOfPackages } from '../../billing/packages/package.queries.ts'
import type { Cents } from '../../platform/kernel/units.ts'

/**
 * The balance of one payer, in cents: the amount due on invoices, the balance of the account, and the amount due minus
 * that balance.
 */
export interface BalanceRow {
  orgUserId: number | null
  guestId: number | null
  name: string
  dueCents: Cents
  overdueCents: Cents
  ledgerBalanceCents: Cents
  /** The remaining value of packages that are active now: credit, and hours at their share of the price. */
  packageCents: Cents
  balanceCents: Cents
}

/**
 * Selects the balance of every payer: members, removed members who have an invoice, a package or a ledger entry, and
 * guests who have an invoice. The amount due is what is unpaid on invoices minus what the school owes back on paid
 * invoices, so it can be negative. Void and failed invoices are not counted. A paid invoice that was refunded without a
 * credit, for example because its booking was cancelled, is settled. Members come before guests, each ordered by id.
 * Implements interface §Reports.
 */
export function selectBalances(organizationId: number, now: Date): RawBuilder<BalanceRow> {
  return sql<BalanceRow>`
    select membership_id as "orgUserId", guest_id as "guestId", coalesce(m.search_name, g.name) as name,
      due as "dueCents", overdue as "overdueCents", ledger as "ledgerBalanceCents", packages as "packageCents", due - ledger as "balanceCents"
    from (
      select membership_id, guest_id, sum(due)::bigint as due, sum(overdue)::bigint as overdue,
        sum(ledger)::bigint as ledger, sum(packages)::bigint as packages
      from (
        select i.membership_id, i.guest_id, case when ${unpaid} then ${balance} else least(${balance}, 0) end as due,
          case when ${overdueAt(now)} then ${balance} else 0 end as overdue, 0 as ledger, 0 as packages
        from invoice i
        where i.organization_id = ${organizationId} and i.status not in ('void', 'failed')
        union all
        select e.membership_id, null, 0, 0, e.amount_cents, 0
        from ledger_entry e where e.organization_id = ${organizationId}
        union all
        select p.membership_id, null, 0, 0, 0, ${worthOfPackages(now)}
        from package_purchase p join invoice i on i.organization_id = p.organization_id and i.id = p.invoice_id
        where p.organization_id = ${organizationId}
        union all
        select o.id, null, 0, 0, 0, 0
        from membership o where o.organization_id = ${organizationId} and o.removed_at is null) entry
      group by membership_id, guest_id) payer
    left join membership m on m.organization_id = ${organizationId} and m.id = membership_id
    left join guest g on g.organization_id = ${organizationId} and g.id = guest_id
    order by membership_id, guest_id`
}
