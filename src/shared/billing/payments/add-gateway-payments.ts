import type { GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { paymentsToAdd } from './gateway-money.rules.ts'
import { addPayment, knownPayment, paymentsOf } from './payment.access.ts'
import { returnOverpaid } from './refund-overpaid.ts'

/**
 * Adds to a locked invoice those payments of a gateway invoice that are not stored yet, with the amounts that were read from the
 * gateway. A job refunds the part above the amount due.
 */
export async function addGatewayPayments(
  tx: Tx,
  invoice: Invoice,
  read: Pick<GatewayMoney, 'invoice' | 'payments'>,
): Promise<void> {
  const { gatewayInvoiceId } = read.invoice
  const by = { organizationId: invoice.organizationId, orgUserId: null }
  const subject = { kind: 'invoice', id: invoice.id } as const
  const known = await paymentsOf(tx, invoice, read.invoice)
  for (const { id, paidCents, paidAt, method } of paymentsToAdd(known.map(knownPayment), read)) {
    const received = { way: 'processor', method, amountCents: paidCents, receivedAt: paidAt ?? tx.now } as const
    await returnOverpaid(tx, invoice, () =>
      addPayment(tx, invoice, { ...received, gatewayInvoiceId, gatewayPayment: id, recordedBy: null }),
    )
    const after = { amountCents: paidCents, method, own: false }
    emit(tx, by, { kind: 'invoice.payment_recorded', subject, after })
  }
  await tx.em.flush()
}
