import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { monthOf } from '../../platform/kernel/windows.ts'
import type { Invoice } from '../invoices.tables.ts'

/**
 * Returns the SQL condition that the payer of an invoice `i` consents to having it charged to the ledger or by autopay without being
 * asked: it is the payer's own, or the payer still pays for the member, has consented, and the invoices for the member in the local month
 * of the invoice, which the caller computes, stay within the limit.
 */
export function consentsTo(what: 'ledger' | 'autopay', { start, end }: Interval): RawBuilder<boolean> {
  return sql<boolean>`(i.billed_for_id is null or exists (select from membership b
    where b.organization_id = i.organization_id and b.id = i.billed_for_id and b.bill_to_id = i.membership_id
      and b.bill_to_accepted_at is not null and ${sql.ref(`b.bill_to_${what}`)}
      and (b.bill_to_max_cents is null or b.bill_to_max_cents >= (select sum(x.total_cents - x.credited_cents) from invoice x
        where x.organization_id = i.organization_id and x.billed_for_id = i.billed_for_id and x.membership_id = i.membership_id
          and x.created_at >= ${start} and x.created_at < ${end}
          and invoice_stands(x.status, x.total_cents, x.credited_cents)))))`
}

/** Returns whether the payer of an invoice consents to having it paid from the ledger without being asked. */
export async function consentsToLedger(
  db: Db,
  { organizationId, id }: Pick<Invoice, 'organizationId' | 'id'>,
): Promise<boolean> {
  const { rows: raised } = await sql<{ at: Date; zone: string }>`
    select i.created_at as at, o.time_zone_name as zone from invoice i join organization o on o.id = i.organization_id
    where i.organization_id = ${organizationId} and i.id = ${id}`.execute(db)
  const { at, zone } = raised[0]!
  const { rows } = await sql`select from invoice i
    where i.organization_id = ${organizationId} and i.id = ${id} and ${consentsTo('ledger', monthOf(at, zone))}`.execute(
    db,
  )
  return rows.length > 0
}

/** Returns whether another invoice of the same share and flight or enrollment stands; only one may stand. */
export async function isReplaced(db: Db, invoice: Invoice): Promise<boolean> {
  if (!invoice.reservationId && !invoice.enrollmentId) return false
  const other = await db
    .selectFrom('invoice')
    .select('id')
    .where('organization_id', '=', invoice.organizationId)
    .where('reservation_id', sql`is not distinct from`, invoice.reservationId ?? null)
    .where('enrollment_id', sql`is not distinct from`, invoice.enrollmentId ?? null)
    .where(
      sql`coalesce(billed_for_id, membership_id)`,
      sql`is not distinct from`,
      invoice.billedForId ?? invoice.membershipId ?? null,
    )
    .where('guest_id', sql`is not distinct from`, invoice.guestId ?? null)
    .where(sql<boolean>`invoice_stands(status, total_cents, credited_cents)`)
    .where('id', '<>', invoice.id)
    .executeTakeFirst()
  return other !== undefined
}
