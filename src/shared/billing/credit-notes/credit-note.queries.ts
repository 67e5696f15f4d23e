import { sql } from 'kysely'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { type Cents, cents } from '../../platform/kernel/units.ts'
import type { PayerId } from '../flight-bill/flight-bill.types.ts'
import { copiesAtGateway, type RefundToMake } from '../payments/payment.queries.ts'

/**
 * Selects who requested the refund of a credit note `c`; null for a refund that the gateway made by itself. A refund that was not
 * requested with the note has `refund_asked_at`.
 */
export const refundAskedBy = sql<
  number | null
>`case when c.refund_asked_at is null then c.created_by else c.refund_by end`

function selectCredits(db: Db, organizationId: number) {
  return db
    .selectFrom('credit_note')
    .selectAll()
    .select([
      personJson<PersonRow | null>('credit_note.created_by').as('created_by_person'),
      personJson<PersonRow | null>('credit_note.refund_by').as('refund_by_person'),
    ])
    .where('organization_id', '=', organizationId)
    .orderBy('id')
}

export type CreditNoteRow = Awaited<ReturnType<ReturnType<typeof selectCredits>['execute']>>[number]

export const creditNoteSortKeys: SortKeys = {
  id: byValue('id'),
  number: byValue('number'),
  invoiceId: byValue('invoice_id'),
  amountCents: byValue('amount_cents'),
  taxCents: byValue('tax_cents'),
  reason: byText('reason'),
  refund: byText('refund'),
  refundStatus: byText('refund_status'),
  refundedCents: byValue('refunded_cents'),
  'createdBy.orgUserId': byValue('created_by'),
  'createdBy.name': byText(sql`(select pm.search_name from membership pm where pm.id = created_by)`),
  'refundBy.orgUserId': byValue('refund_by'),
  'refundBy.name': byText(sql`(select pm.search_name from membership pm where pm.id = refund_by)`),
  createdAt: byValue('created_at'),
  updatedAt: byValue('updated_at'),
}

/** Returns the credit notes of an invoice, oldest first. */
export function findCredits(db: Db, organizationId: number, invoiceId: number): Promise<CreditNoteRow[]> {
  return selectCredits(db, organizationId).where('invoice_id', '=', invoiceId).execute()
}

/** Returns the credit notes of an invoice as a list source, oldest first. */
export function listCredits(db: Db, organizationId: number, invoiceId: number) {
  return pageable(db, selectCredits(db, organizationId).where('invoice_id', '=', invoiceId), creditNoteSortKeys)
}

/** Returns one credit note; null when the organization has none with this id. */
export async function findCredit(db: Db, organizationId: number, id: number): Promise<CreditNoteRow | null> {
  return (await selectCredits(db, organizationId).where('id', '=', id).executeTakeFirst()) ?? null
}

/** Returns the credit note that an event is about, or without `eventId` the latest one of the invoice; null when there is none. */
export async function findCreditOfEvent(
  db: Db,
  organizationId: number,
  { invoiceId, eventId }: { invoiceId: number; eventId: string | undefined },
): Promise<CreditNoteRow | null> {
  const numbered = sql<number>`(select (e.after ->> 'number')::int from event e
    where e.organization_id = ${organizationId} and e.id = ${eventId ?? null})`
  const found = await selectCredits(db, organizationId)
    .where('invoice_id', '=', invoiceId)
    .$if(eventId !== undefined, (query) => query.where('number', '=', numbered))
    .clearOrderBy()
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** Returns the sum of the taxes in the credit notes of an invoice, in cents. */
export async function findCreditedTax(
  db: Db,
  { organizationId, id }: { organizationId: number; id: number },
): Promise<Cents> {
  const { tax } = await db
    .selectFrom('credit_note')
    .select(({ fn }) => fn.sum<Cents | null>('tax_cents').as('tax'))
    .where('organization_id', '=', organizationId)
    .where('invoice_id', '=', id)
    .executeTakeFirstOrThrow()
  return cents(Number(tax ?? 0))
}

/** Returns the gateway request for the refund of a credit note; null when its refund is not pending, or there is no gateway invoice. */
export async function findCreditToRefund(
  db: Db,
  { organizationId, creditId }: { organizationId: number; creditId: number },
): Promise<RefundToMake | null> {
  const found = await db
    .selectFrom('credit_note as c')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.organization_id', '=', 'c.organization_id').onRef('i.id', '=', 'c.invoice_id'),
    )
    .select(['i.gateway_account', copiesAtGateway.as('copies'), 'c.refund_key', 'c.refund_cents'])
    .where('c.organization_id', '=', organizationId)
    .where('c.id', '=', creditId)
    .where('c.refund_status', '=', 'pending')
    .executeTakeFirst()
  if (!found || found.copies.length === 0) return null
  return {
    account: found.gateway_account,
    gatewayInvoiceIds: found.copies,
    key: found.refund_key,
    amountCents: found.refund_cents,
  }
}

/** Returns whether packages pay a part of one of these invoices. */
export async function usesPackages(db: Db, organizationId: number, invoiceIds: readonly number[]): Promise<boolean> {
  const { rows } = await sql`select from package_use
    where organization_id = ${organizationId} and invoice_id = any(${invoiceIds}) limit 1`.execute(db)
  return rows.length > 0
}

/** Returns whether the gateway refused an invoice of a flight for the share of one of these payers. */
export async function hasFailedInvoice(
  db: Db,
  { organizationId, reservationId }: { organizationId: number; reservationId: number },
  payers: readonly PayerId[],
): Promise<boolean> {
  const members = payers.flatMap(({ orgUserId }) => orgUserId ?? [])
  const guests = payers.flatMap(({ guestId }) => guestId ?? [])
  const { rows } = await sql`select from invoice where organization_id = ${organizationId}
    and reservation_id = ${reservationId} and status = 'failed'
    and (coalesce(billed_for_id, membership_id) = any(${members}) or guest_id = any(${guests})) limit 1`.execute(db)
  return rows.length > 0
}
