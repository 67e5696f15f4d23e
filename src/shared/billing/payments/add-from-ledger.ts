import type { Tx } from '../../platform/db/transaction.ts'
import type { Cause } from '../../platform/events/emit.ts'
import type { Cents } from '../../platform/kernel/units.ts'
import { issueAgain } from '../invoices/change-invoice.ts'
import { balanceOf } from '../invoices/invoice-figures.rules.ts'
import { settleOffline } from '../invoices/mark-paid.ts'
import type { Invoice } from '../invoices.tables.ts'
import { addLedgerPayment } from './add-ledger-payment.ts'
import { figuresByWay } from './payment.access.ts'

/**
 * Pays an amount of a locked, unpaid invoice from the account of its payer. When an amount is still due, the invoice at the payment
 * gateway is replaced by one of that amount; otherwise the invoice is paid. Returns whether it is raised again at the gateway.
 */
export async function addFromLedger(tx: Tx, by: Cause, invoice: Invoice, amountCents: Cents): Promise<boolean> {
  await addLedgerPayment(tx, by, invoice, amountCents)
  if (balanceOf(figuresByWay(invoice)) > 0) return issueAgain(tx, invoice)
  await settleOffline(tx, by, invoice, 'ledger')
  return false
}
