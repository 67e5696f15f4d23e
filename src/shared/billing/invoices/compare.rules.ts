import type { GatewayInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import { type invoiceStatuses, stateAfter } from './invoice.states.ts'

/** An invoice of a restored database, to compare with the payment gateway's. */
export interface InvoiceToCompare {
  id: number
  organizationId: number
  status: (typeof invoiceStatuses)[number]
  /** The keys under which it may be at the gateway, one for each time that its lines were replaced. */
  keys: readonly string[]
  /** Whether the gateway had it. */
  issued: boolean
}

/** What differs between a restored database and the payment gateway. */
export interface Differences {
  /** The gateway has it, the database does not: it was raised after the backup. Raised anew it would be paid twice. */
  unknown: GatewayInvoice[]
  /** Paid or voided at the gateway since: the service follows by itself. */
  moved: { ours: InvoiceToCompare; theirs: GatewayInvoice }[]
  /** Payable here, and not at the gateway: it is another gateway's, or another account's. */
  missing: InvoiceToCompare[]
}

/** Compares invoices of a restored database with those of the gateway. */
export function differencesOf(ours: readonly InvoiceToCompare[], theirs: readonly GatewayInvoice[]): Differences {
  const byKey = new Map(ours.flatMap((invoice) => invoice.keys.map((key) => [key, invoice] as const)))
  const known = theirs.flatMap((invoice) => {
    const own = byKey.get(invoice.key ?? '')
    return own ? [{ ours: own, theirs: invoice }] : []
  })
  const seen = new Set(known.map(({ ours: { id } }) => id))
  return {
    unknown: theirs.filter(({ key }) => !byKey.has(key ?? '')),
    // The last key is that of the lines as they are now.
    moved: known.filter(
      (pair) => pair.theirs.key === pair.ours.keys.at(-1) && stateAfter(pair.ours.status, pair.theirs.status),
    ),
    missing: ours.filter(({ id, status, issued }) => status === 'open' && issued && !seen.has(id)),
  }
}
