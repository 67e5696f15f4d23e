import type { Tx } from '../../platform/db/transaction.ts'
import { reverseEntry } from '../ledger/reverse-entry.ts'
import { lockInvoice } from './invoice.access.ts'
import { voidSettled } from './void-invoice.ts'

/**
 * Reverses a ledger entry. Reversing a charge voids the invoice that it settled, so that its flight can be billed
 * again.
 * @throws NotFound when the organization has no such entry.
 * @throws Conflict ALREADY_EXISTS when it is reversed already, or is a reversal.
 */
export async function reverseLedgerEntry(
  tx: Tx,
  by: { organizationId: number; orgUserId: number },
  entryId: number,
  reason: string,
): Promise<{ entryId: number }> {
  const { reversalId, invoiceId } = await reverseEntry(tx, by, entryId, reason)
  const invoice = invoiceId === null ? null : await lockInvoice(tx, by.organizationId, invoiceId)
  if (invoice?.settlement === 'ledger' && invoice.status === 'paid') voidSettled(tx, by, invoice, reason)
  return { entryId: reversalId }
}
