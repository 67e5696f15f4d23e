import type { GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { latestDispute } from './gateway-money.rules.ts'

/**
 * Stores the payer's latest dispute on a locked invoice. A change emits an event: admins are notified when a dispute opens, when its
 * deadline changes while it is open, and when it is lost. No amounts change here: `followMoney` reverses the payment of a lost dispute.
 */
export function recordDispute(tx: Tx, invoice: Invoice, money: Pick<GatewayMoney, 'disputes'>): void {
  const dispute = latestDispute(money)
  if (!dispute) return
  const { status, amountCents, evidenceDueAt } = dispute
  const isSame = invoice.disputeStatus === status && invoice.disputeCents === amountCents
  if (isSame && invoice.disputeDueAt?.getTime() === evidenceDueAt?.getTime()) return
  const { organizationId, id } = invoice
  const opens = status === 'open' && invoice.disputeStatus !== 'open'
  tx.em.assign(invoice, {
    disputeStatus: status,
    disputeCents: amountCents,
    disputeDueAt: evidenceDueAt,
    disputedAt: opens || !invoice.disputedAt ? tx.now : invoice.disputedAt,
  })
  if (isSame && status !== 'open') return
  emit(
    tx,
    { organizationId, orgUserId: null },
    { kind: 'invoice.disputed', subject: { kind: 'invoice', id }, after: { status, amountCents, evidenceDueAt } },
  )
}
