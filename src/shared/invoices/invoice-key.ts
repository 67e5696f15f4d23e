/**
 * The key that the processor knows an invoice of ours under: another one for each time that its lines were replaced
 * (`revision`).
 */
export function invoiceKey(invoice: { organizationId: number; id: number; revision?: number }): string {
  const key = `inv_${invoice.organizationId}_${invoice.id}`
  return invoice.revision ? `${key}_r${invoice.revision}` : key
}
