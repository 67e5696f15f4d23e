import { LockMode } from '@mikro-orm/core'
import type { Tx } from '../../platform/db/transaction.ts'
import { lockInvoice } from '../invoices/invoice.access.ts'
import type { Invoice } from '../invoices/invoice.entity.ts'
import { figuresByWay } from '../payments/payment.access.ts'
import type { Creditable } from './credit.rules.ts'
import { CreditNote } from './credit-note.entity.ts'

/**
 * Returns a credit note and its invoice, locked until the commit, the invoice first: its lock orders all credits of it.
 * Null when the organization was deleted.
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

/** Returns an invoice as the rules of credits see it. */
export function creditableOf(invoice: Invoice): Creditable {
  const { settlement = 'processor', guestId } = invoice
  return { ...figuresByWay(invoice), settlement, isGuest: guestId != null }
}

/** Returns the credit note of a locked invoice whose refund waits for a second admin; null when there is none. */
export async function findWaitingCredit(tx: Tx, { organizationId, id }: Invoice): Promise<CreditNote | null> {
  return tx.em.findOne(CreditNote, { organizationId, invoiceId: id, refundStatus: 'waiting' })
}
