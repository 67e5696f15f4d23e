import { sql } from 'kysely'
import type { Cents } from '../../platform/kernel/units.ts'
import { type Named, rowsOf } from './named.queries.ts'
import { MOST_ROWS, type TextMatch } from './text-match.queries.ts'

/** An invoice whose number or payer matches. */
export interface InvoiceHit {
  id: number
  number: number | null
  payer: string
  total_cents: Cents
  currency: string
  score: number
}

/**
 * Returns the query of the best matching invoices: the invoice with this number, and the newest invoices of matching
 * payers. Failed invoices are excluded, as in GET /invoices. With `of`, only invoices of this member are found, as in
 * GET /invoices/orgUsers/{orgUserId}. Memos and lines are not searched.
 */
export function invoiceHits(match: TextMatch, organizationId: number, named: Named, of?: number) {
  const [, number] = /^#?([0-9]{1,9})$/.exec(match.text) ?? []
  const mine = of === undefined ? sql`` : sql`and i.membership_id = ${of}`
  const listed = sql`invoice i where i.organization_id = ${organizationId} and i.status <> 'failed' ${mine}`
  const newest = sql`order by i.created_at desc, i.id desc limit ${MOST_ROWS}`
  return sql<InvoiceHit>`
    with found as (
      select i.id, 1::float8 as score from ${listed} and i.number = ${number === undefined ? null : Number(number)}::int
      union all
      select b.id, p.score from ${rowsOf(named.members)} p(id, score) cross join lateral (
        select i.id from ${listed} and i.membership_id = p.id ${newest}) b
      union all
      select b.id, g.score from ${rowsOf(named.guests)} g(id, score) cross join lateral (
        select i.id from ${listed} and i.guest_id = g.id ${newest}) b
    )
    select i.id, i.number, coalesce(m.search_name, g.name) as payer, i.total_cents, i.currency, f.score
    from (select id, max(score) as score from found group by id) f
    join invoice i on i.organization_id = ${organizationId} and i.id = f.id
    left join membership m on m.organization_id = ${organizationId} and m.id = i.membership_id
    left join guest g on g.organization_id = ${organizationId} and g.id = i.guest_id
    order by f.score desc, i.created_at desc, i.id desc limit ${MOST_ROWS}`
}
