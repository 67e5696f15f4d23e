import { type RawBuilder, sql } from 'kysely'

/** Which invoices of the organization: conditions that a list's query makes. */
export interface InvoiceFilter {
  ids?: number[] | undefined
  reservationId?: number | undefined
  orgUserId?: number | undefined
  start?: Date | undefined
  end?: Date | undefined
  q?: string | undefined
  paid?: boolean | undefined
  voided?: boolean | undefined
  overdue?: boolean | undefined
}

/** Whether an invoice is still to be paid, over `i`. */
export const owed = sql`i.status in ('pending', 'open')`

/** Whether an invoice is still to be paid and its date has passed, over `i`. */
export function overdueAt(now: Date): RawBuilder<unknown> {
  return sql`(${owed} and i.due_at is not null and i.due_at < ${now})`
}

/**
 * The condition of a list or a total over `i`. Invoices that the processor refused were never raised: they are left
 * out, unless one is asked for by its id.
 */
export function invoiceCondition(organizationId: number, filter: InvoiceFilter, now: Date): RawBuilder<unknown> {
  const all = [sql`i.organization_id = ${organizationId}`]
  const add = (given: unknown, condition: RawBuilder<unknown>) => given !== undefined && all.push(condition)
  if (!filter.ids) all.push(sql`i.status <> 'failed'`)
  add(filter.ids, sql`i.id = any(${filter.ids})`)
  add(filter.reservationId, sql`i.reservation_id = ${filter.reservationId}`)
  add(filter.orgUserId, sql`i.membership_id = ${filter.orgUserId}`)
  add(filter.start, sql`i.created_at >= ${filter.start}`)
  add(filter.end, sql`i.created_at < ${filter.end}`)
  add(filter.paid, filter.paid ? sql`i.status = 'paid'` : sql`i.status <> 'paid'`)
  add(filter.voided, filter.voided ? sql`i.status = 'void'` : sql`i.status <> 'void'`)
  add(filter.overdue, filter.overdue ? overdueAt(now) : sql`not ${overdueAt(now)}`)
  if (filter.q) all.push(mentions(organizationId, filter.q))
  return sql.join(all, sql` and `)
}

/**
 * Free text over memo, number, lines and payer. The ids of each kind of hit are gathered by an index of their own:
 * one condition over all of them could only be tried on every invoice.
 */
function mentions(organizationId: number, q: string): RawBuilder<unknown> {
  const like = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const ofOrganization = sql`organization_id = ${organizationId}`
  const number = /^[0-9]{1,9}$/.test(q)
    ? sql`union all select id from invoice where ${ofOrganization} and number = ${Number(q)}`
    : sql``
  return sql`i.id in (
    select id from invoice where ${ofOrganization} and memo ilike ${like}
    union all select invoice_id from invoice_item where ${ofOrganization} and description ilike ${like}
    union all select id from invoice where ${ofOrganization} and membership_id in (
      select m.id from membership m join account a on a.id = m.account_id
      where m.organization_id = ${organizationId} and (a.name ilike ${like} or a.email ilike ${like}))
    union all select id from invoice where ${ofOrganization} and guest_id in (
      select id from guest where ${ofOrganization} and (name ilike ${like} or email ilike ${like}))
    ${number})`
}
