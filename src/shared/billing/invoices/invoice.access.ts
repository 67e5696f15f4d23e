import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Conflict } from '../../platform/kernel/errors.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { billingErrors } from '../billing.errors.ts'
import { LEAST_SHARE_CENTS } from '../flight-bill/flight-bill.rules.ts'
import { Invoice } from './invoice.entity.ts'

/** Returns the invoice, locked until the commit; null when its organization was deleted. */
export async function lockInvoice(tx: Tx, organizationId: number, invoiceId: number): Promise<Invoice | null> {
  const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const
  return tx.em.findOne(Invoice, { organizationId, id: invoiceId }, locked)
}

/**
 * Returns the invoice, locked until the commit, when it is pending or open.
 * @throws NotFound when the organization has no such invoice.
 * @throws Conflict NOT_PENDING when it is paid, void or failed.
 */
export async function lockUnpaid(tx: Tx, actor: Actor, id: number): Promise<Invoice> {
  const invoice = await lockInvoice(tx, actor.organizationId, id)
  if (!invoice) throw billingErrors.noSuchInvoice()
  mustBeUnpaid(invoice)
  return invoice
}

/** @throws Conflict NOT_PENDING when an invoice is paid, void or failed. */
export function mustBeUnpaid({ status }: Invoice): void {
  if (status === 'pending' || status === 'open') return
  throw billingErrors.invoiceClosed({ status: status === 'paid' ? 'paid' : 'void' })
}

/** Returns the refusal of what would leave so many cents to pay: fewer than the payment gateway collects. */
export function remainderTooSmall(leftCents: Cents): Conflict {
  return billingErrors.remainderTooSmall({ left: leftCents, least: LEAST_SHARE_CENTS }, { leftCents })
}

/** Returns the invoices of bookings that are neither void nor failed, locked until the commit. */
export async function lockLiveInvoices(
  tx: Tx,
  organizationId: number,
  reservationIds: readonly number[],
): Promise<Invoice[]> {
  return tx.em.find(
    Invoice,
    { organizationId, reservationId: { $in: [...reservationIds] }, status: { $in: ['pending', 'open', 'paid'] } },
    { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' }, refresh: true },
  )
}

/**
 * Checks that the organization still uses this currency. The row lock makes a concurrent change of the currency wait
 * and fail.
 * @throws Conflict when the currency has changed.
 */
export async function mustKeepCurrency(tx: Tx, organizationId: number, currency: string): Promise<void> {
  const organization = await tx.db
    .selectFrom('organization')
    .select('settings')
    .where('id', '=', organizationId)
    .forKeyShare()
    .executeTakeFirstOrThrow()
  if (readSettings(organization.settings).currency === currency) return
  throw billingErrors.currencyChanged()
}

/** Returns the organization's next invoice number. */
export function nextInvoiceNumber(tx: Tx, organizationId: number): Promise<number> {
  return nextNumber(tx, organizationId, 'last_invoice_number')
}

/** Returns the organization's next number of a credit note. */
export function nextCreditNumber(tx: Tx, organizationId: number): Promise<number> {
  return nextNumber(tx, organizationId, 'last_credit_number')
}

/** Draws a number. The organization row stays locked until the commit, so that the numbers of a series have no gaps. */
async function nextNumber(
  tx: Tx,
  organizationId: number,
  series: 'last_invoice_number' | 'last_credit_number',
): Promise<number> {
  const { rows } = await sql<{ drawn: number }>`
    update organization set ${sql.ref(series)} = ${sql.ref(series)} + 1 where id = ${organizationId}
    returning ${sql.ref(series)} as drawn`.execute(tx.db)
  return rows[0]!.drawn
}

/**
 * Returns the largest refund to a card, in cents, that a member causes without the approval of an admin: as the
 * organization decided; null for admins, and where it decided nothing.
 */
export async function findRefundLimit(
  db: Db,
  { organizationId, orgUserId }: Pick<Actor, 'organizationId' | 'orgUserId'>,
): Promise<Cents | null> {
  const found = await db
    .selectFrom('organization as o')
    .leftJoin('membership as m', (join) => join.onRef('m.organization_id', '=', 'o.id').on('m.id', '=', orgUserId))
    .select(['o.settings', 'm.owner', 'm.admin'])
    .where('o.id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return found.owner || found.admin ? null : readSettings(found.settings).refundApprovalCents
}
