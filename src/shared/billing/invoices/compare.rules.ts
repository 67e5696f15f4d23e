import type { GatewayInvoice } from '../../platform/adapters/payments/payment-gateway.port.ts'
import { type invoiceStatuses, stateAfter } from './invoice.states.ts'

/** An invoice of a restored database, to be compared with the invoices at the payment gateway. */
export interface InvoiceToCompare {
  id: number
  organizationId: number
  status: (typeof invoiceStatuses)[number]
  /** The keys that it may have at the gateway: one per revision of its lines, oldest first. */
  keys: readonly string[]
  /** Whether the gateway accepted it before the backup. */
  issued: boolean
}

/** The differences between a restored database and the payment gateway. */
export interface Differences {
  /**
   * Invoices at the gateway that the database does not have, because they were raised after the backup. When they are raised again,
   * payers could pay twice.
   */
  unknown: GatewayInvoice[]
  /** Invoices whose status at the gateway is newer: paid or void since the backup. Reconciliation updates them here. */
  moved: { ours: InvoiceToCompare; theirs: GatewayInvoice }[]
  /** Open invoices that the gateway does not have: they belong to another gateway or another account. */
  missing: InvoiceToCompare[]
}

/** Returns the differences between the invoices of a restored database and those of the gateway. */
export function differencesOf(ours: readonly InvoiceToCompare[], theirs: readonly GatewayInvoice[]): Differences {
  const byKey = new Map(ours.flatMap((invoice) => invoice.keys.map((key) => [key, invoice] as const)))
  const known = theirs.flatMap((invoice) => {
    const own = byKey.get(invoice.key ?? '')
    return own ? [{ ours: own, theirs: invoice }] : []
  })
  const seen = new Set(known.map(({ ours: { id } }) => id))
  return {
    unknown: theirs.filter(({ key }) => !byKey.has(key ?? '')),
    // The last key belongs to the current lines.
    moved: known.filter(
      (pair) => pair.theirs.key === pair.ours.keys.at(-1) && stateAfter(pair.ours.status, pair.theirs.status),
    ),
    missing: ours.filter(({ id, status, issued }) => status === 'open' && issued && !seen.has(id)),
  }
}
