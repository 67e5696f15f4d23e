import type { Tx } from '../../platform/db/transaction.ts'
import { reverseEntry } from '../ledger/reverse-entry.ts'
import { lockInvoice } from './sync-from-gateway.ts'
import { voidSettled } from './void-settled.ts'

/**
 * Takes a ledger entry back. A charge takes the ledger-settled invoice with it, which is void then: its flight can be
 * billed again.
 * @throws NotFound; Conflict ALREADY_EXISTS when it is reversed already, or a reversal itself.
 */
export async function reverseLedgerEntry(
  tx: Tx,
  by: { organizationId: number; orgUserId: number },
  entryId: number,
  reason: string,
): Promise<{ entryId: number }> {
  const { reversalId, invoiceId } = await reverseEntry(tx, by, entryId, reason)
  const invoice = invoiceId === null ? null : await lockInvoice(tx, by.organizationId, invoiceId)
  if (invoice?.settlement === 'ledger' && invoice.status === 'paid') voidSettled(tx, invoice, reason)
  return { entryId: reversalId }
}
