import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { amountsOf } from '../invoices/emit-asked.ts'
import type { Invoice } from '../invoices.tables.ts'
import { findAvailable, lockAvailable } from '../ledger/ledger.access.ts'
import { addLedgerPayment, numberBeforeAccount } from './add-ledger-payment.ts'
import { automaticPart } from './payment.rules.ts'

/**
 * Pays a new invoice with `autoLedger`, which no job has issued at the payment gateway yet, from the account of its payer: as much as the balance allows. `paid`: nothing is due. `waits`: the payer, who has money on the account, did not agree to it
 * and is mailed first. `due`: an amount is due, which is paid in another way.
 */
export async function payAtRaising(tx: Tx, invoice: Invoice): Promise<'paid' | 'waits' | 'due'> {
  const { organizationId, membershipId } = invoice
  if (membershipId == null) return 'due'
  const of = { organizationId, orgUserId: membershipId }
  if (automaticPart(invoice.totalCents, await findAvailable(tx.db, of)) === 0) return 'due'
  if (!invoice.ledgerFrom) return 'waits'
  await numberBeforeAccount(tx, invoice)
  await tx.em.flush()
  const part = automaticPart(invoice.totalCents, await lockAvailable(tx, organizationId, membershipId))
  if (part === 0) return 'due'
  const by = { organizationId, orgUserId: null }
  const subject = { kind: 'invoice', id: invoice.id } as const
  if (part < invoice.totalCents) {
    await addLedgerPayment(tx, by, invoice, part)
    return 'due'
  }
  emit(tx, by, { kind: 'invoice.raised', subject, after: amountsOf(invoice) })
  await addLedgerPayment(tx, by, invoice, part)
  tx.em.assign(invoice, { status: 'paid', settlement: 'offline', paidAt: tx.now, paymentMethod: 'ledger' })
  emit(tx, by, { kind: 'invoice.paid', subject, after: { settlement: 'offline', raisedPaid: true } })
  return 'paid'
}
