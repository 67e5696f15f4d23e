import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { endOfDay, localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import { CreditNote, type Invoice } from '../invoices.tables.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import type { Creditable, UnapprovedRefund } from './credit.rules.ts'

/**
 * Locks the invoice of a credit note, then the credit note, until the commit. Returns both; null when one of them does not exist. The
 * lock of the invoice makes all credits of the invoice run one after the other.
 */
export async function lockCredit(
  tx: Tx,
  organizationId: number,
  id: number,
): Promise<{ note: CreditNote; invoice: Invoice } | null> {
  const found = await tx.em.findOne(CreditNote, { organizationId, id })
  const invoice = found && (await lockInvoice(tx, organizationId, found.invoiceId))
  const note = await tx.em.findOne(
    CreditNote,
    { organizationId, id },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true },
  )
  return note && invoice ? { note, invoice } : null
}

/** Returns the facts of an invoice that the credit rules need. */
export function creditableOf(invoice: Invoice): Creditable {
  const { settlement = 'processor', guestId } = invoice
  return { ...figuresByWay(invoice), settlement, isGuest: guestId != null }
}

/** Returns the credit note of a locked invoice whose refund waits for a second admin; null when there is none. */
export async function findWaitingCredit(tx: Tx, { organizationId, id }: Invoice): Promise<CreditNote | null> {
  return tx.em.findOne(CreditNote, { organizationId, invoiceId: id, refundStatus: 'waiting' })
}

/**
 * Returns the refunds that a member made or requested without the approval of a second admin: of this invoice, or today to its payer.
 * The given credit note does not count. Locks the organization until the commit, so that two concurrent refunds of two invoices of one
 * payer count each other. The caller holds the lock of the invoice.
 */
export async function lockUnapprovedRefunds(
  tx: Tx,
  orgUserId: number,
  { organizationId, id: invoiceId, membershipId = null, guestId = null }: Invoice,
  { id: noteId }: CreditNote,
): Promise<UnapprovedRefund[]> {
  const { rows: locked } = await sql<{ zone: string }>`
    select time_zone_name as zone from organization where id = ${organizationId} for no key update`.execute(tx.db)
  const zone = locked[0]?.zone ?? 'UTC'
  const today = localDate(tx.now, zone)
  const ofPayer = membershipId === null ? sql`i.guest_id = ${guestId}` : sql`i.membership_id = ${membershipId}`
  const { rows } = await sql<UnapprovedRefund>`
    select given as "refundCents", "onInvoice", today from (
      select case when c.refund_status in ('waiting', 'pending') then c.refund_cents else c.refunded_cents end as given,
        i.id = ${invoiceId} as "onInvoice",
        coalesce(c.refund_asked_at, c.created_at) >= ${wallToInstant(today, 0, zone)}
          and coalesce(c.refund_asked_at, c.created_at) < ${endOfDay(today, zone)} as today
      from invoice i
      join credit_note c on c.organization_id = i.organization_id and c.invoice_id = i.id
      where i.organization_id = ${organizationId} and c.id <> ${noteId} and c.refund_approved_at is null
        and ${ofPayer} and coalesce(c.refund_by, c.created_by) = ${orgUserId}) c
    where given > 0 and ("onInvoice" or today)`.execute(tx.db)
  return rows
}

/**
 * Returns whether the booking of a locked invoice was cancelled while the refund of a credit note waited. The refund of the rest then
 * waits too: `cancelPrepaid` sets `refundWaitingAt` to the time of the cancellation.
 */
export async function waitsForBooking(
  tx: Tx,
  { organizationId, reservationId, refundWaitingAt }: Invoice,
): Promise<boolean> {
  if (reservationId == null || !refundWaitingAt) return false
  const cancelled = await tx.db
    .selectFrom('reservation')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', reservationId)
    .where('cancelled_at', '=', refundWaitingAt)
    .executeTakeFirst()
  return cancelled !== undefined
}

/**
 * Returns the credit notes of a locked invoice to which a refund that was made at the gateway itself can belong, oldest first: notes
 * without a refund, and notes whose refund through the gateway succeeded or failed.
 */
export async function findCreditsAtGateway(tx: Tx, { organizationId, id }: Invoice): Promise<CreditNote[]> {
  return tx.em.find(
    CreditNote,
    {
      organizationId,
      invoiceId: id,
      $or: [{ refundStatus: 'none' }, { refund: 'processor', refundStatus: { $in: ['failed', 'succeeded'] } }],
    },
    { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true, orderBy: { id: 'asc' } },
  )
}
