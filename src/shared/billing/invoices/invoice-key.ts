import { randomUUID } from 'node:crypto'

/** The keys that the processor knows an invoice of ours under, one for each set of lines that it had, oldest first. */
interface WithKeys {
  processorKeys: readonly string[]
  /** How often its lines were replaced. */
  revision?: number
}

/**
 * The key that the processor knows an invoice of ours under, with the lines of that `revision`; those of now when left
 * out. It is random and stored on the row, so that an invoice written after a backup was restored never has the key of
 * one written before.
 * @throws RangeError when the invoice never had such lines.
 */
export function invoiceKey({ processorKeys, revision = 0 }: WithKeys): string {
  const key = processorKeys[revision]
  if (key === undefined) throw new RangeError(`the invoice has no lines of revision ${revision}`)
  return key
}

/** A key that no invoice has: for lines that replace others. */
export function newInvoiceKey(): string {
  return `inv_${randomUUID()}`
}
