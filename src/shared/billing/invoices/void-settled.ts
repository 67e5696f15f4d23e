import type { Tx } from '../../platform/db/transaction.ts'
import type { Invoice } from './invoice.entity.ts'

/** Ends a locked invoice whose money, if any came, went back: it is as if nothing was paid. */
export function voidSettled(tx: Tx, invoice: Invoice, reason: string): void {
  tx.em.assign(invoice, {
    status: 'void',
    voidedAt: tx.now,
    voidReason: reason,
    paidAt: null,
    amountPaidCents: 0,
    paymentMethod: null,
  })
}
