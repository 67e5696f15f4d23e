import type { GatewayInvoiceStatus } from '../../platform/adapters/payments/payment-gateway.port.ts'

export const invoiceStatuses = ['pending', 'open', 'paid', 'void', 'failed'] as const

type Status = (typeof invoiceStatuses)[number]

/**
 * Where our invoice goes when the processor has it in a state; it stays where nothing is said. It only moves forward, so
 * answers and events may come in any order and more than once. Money that came in counts whatever we thought before.
 */
const follows: Record<Status, Partial<Record<GatewayInvoiceStatus, Status>>> = {
  pending: { open: 'open', paid: 'paid', void: 'void', uncollectible: 'void' },
  open: { paid: 'paid', void: 'void', uncollectible: 'void' },
  void: { paid: 'paid' },
  failed: { paid: 'paid' },
  paid: {},
}

/** The state that follows; null when ours stays as it is. */
export function stateAfter(ours: Status, atProcessor: GatewayInvoiceStatus): Status | null {
  return follows[ours][atProcessor] ?? null
}
