import { randomUUID } from 'node:crypto'

/** The gateway's keys of an invoice, one per revision of its lines, oldest first. */
interface WithKeys {
  gatewayKeys: readonly string[]
  /** How many times its lines were replaced. */
  revision?: number
}

/**
 * Returns the gateway's key of an invoice with the lines of `revision` (the current one by default). Keys are random
 * and stored on the row: an invoice written after a restored backup never reuses the key of an earlier one.
 * @throws RangeError when the invoice has no such revision.
 */
export function invoiceKey({ gatewayKeys, revision = 0 }: WithKeys): string {
  const key = gatewayKeys[revision]
  if (key === undefined) throw new RangeError(`the invoice has no lines of revision ${revision}`)
  return key
}

/** Returns a new random key, for a new revision of lines. */
export function newInvoiceKey(): string {
  return `inv_${randomUUID()}`
}

/** Returns a new random key, for another attempt to refund. */
export function newRefundKey(): string {
  return `ref_${randomUUID()}`
}
