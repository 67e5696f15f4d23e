import type { Tx } from '../../platform/db/transaction.ts'
import type { Invoice } from './invoice.entity.ts'

/** Voids a locked invoice whose payment, if any, was returned, and clears its payment fields. */
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
