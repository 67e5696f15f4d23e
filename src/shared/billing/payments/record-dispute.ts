import type { GatewayMoney } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import type { Invoice } from '../invoices.tables.ts'
import { latestDispute } from './gateway-money.rules.ts'

/**
 * Stores the payer's latest dispute on a locked invoice. A change is an event: admins are told when a dispute opens and
 * when it is lost. The deadline of an open one is told when it moves. No figure changes here; what a lost one took is a
 * reversed payment.
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
