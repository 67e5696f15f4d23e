import type { Tx } from '../../platform/db/transaction.ts'
import { type Cause, emit } from '../../platform/events/emit.ts'
import { type Cents, minus, ZERO } from '../../platform/kernel/units.ts'
import { nextInvoiceNumber } from '../invoices/invoice.access.ts'
import type { Invoice } from '../invoices.tables.ts'
import { postEntry } from '../ledger/post-entry.ts'
import { addPayment } from './payment.access.ts'

/**
 * Posts the entry of the payer's account, whose balance the caller has locked and found sufficient, and adds the payment to a locked
 * invoice, at the same instant. Does not change the status. `by.orgUserId`: null when the account pays by itself.
 */
export async function addLedgerPayment(tx: Tx, by: Cause, invoice: Invoice, amountCents: Cents): Promise<void> {
  const { organizationId } = by
  const { id: ledgerEntryId, postedAt } = await postEntry(tx, {
    organizationId,
    membershipId: invoice.membershipId as number,
    kind: 'invoice_charge',
    amountCents: minus(ZERO, amountCents),
    reservationId: invoice.reservationId ?? null,
    invoiceId: invoice.id,
    createdBy: by.orgUserId,
  })
  const received = { way: 'offline', method: 'ledger', amountCents, receivedAt: postedAt, ledgerEntryId } as const
  addPayment(tx, invoice, { ...received, recordedBy: by.orgUserId })
  const own = by.orgUserId !== null && invoice.membershipId === by.orgUserId
  const after = { amountCents, method: 'ledger', own }
  emit(tx, by, { kind: 'invoice.payment_recorded', subject: { kind: 'invoice', id: invoice.id }, after })
}

/** Draws the number of a locked invoice that has none: the number locks the organization, which comes before the account. */
export async function numberBeforeAccount(tx: Tx, invoice: Invoice): Promise<void> {
  invoice.number ??= await nextInvoiceNumber(tx, invoice.organizationId)
}
