import type { GatewayInvoiceStatus } from '../../platform/adapters/payments/payment-gateway.port.ts'

export const invoiceStatuses = ['pending', 'open', 'paid', 'void', 'failed'] as const

/** How an invoice is paid: through the payment gateway, from the member's account, or outside of both. */
export const settlements = ['processor', 'ledger', 'offline'] as const

type Status = (typeof invoiceStatuses)[number]

/**
 * The next status for each gateway status; no entry means no change. Transitions only move forward, so responses and
 * events can arrive in any order and repeatedly. A payment always counts, even on a void or failed invoice.
 */
const follows: Record<Status, Partial<Record<GatewayInvoiceStatus, Status>>> = {
  pending: { open: 'open', paid: 'paid', void: 'void', uncollectible: 'void' },
  open: { paid: 'paid', void: 'void', uncollectible: 'void' },
  void: { paid: 'paid' },
  failed: { paid: 'paid' },
  paid: {},
}

/** Returns the next status; null when the status does not change. */
export function stateAfter(ours: Status, gatewayStatus: GatewayInvoiceStatus): Status | null {
  return follows[ours][gatewayStatus] ?? null
}
