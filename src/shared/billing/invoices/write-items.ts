import type { Tx } from '../../platform/db/transaction.ts'
import type { PackageUse, TaxedLine } from '../flight-bill/flight-bill.types.ts'
import type { Invoice } from '../invoices.tables.ts'

/** Writes the lines of a new invoice, in their order. */
export async function insertItems(tx: Tx, { organizationId, id }: Invoice, lines: readonly TaxedLine[]) {
  if (lines.length === 0) return
  const rows = lines.map((line, position) => ({
    organization_id: organizationId,
    invoice_id: id,
    position,
    kind: line.kind,
    description: line.description,
    quantity_hundredths: line.quantityHundredths,
    unit: line.unit,
    unit_price: line.unitPrice,
    amount_cents: line.amountCents,
    tax_cents: line.taxCents,
  }))
  await tx.db.insertInto('invoice_item').values(rows).execute()
}

/** Writes the uses of locked packages by an invoice, in one statement. A constraint refuses more than the remaining quantity. */
export async function insertUses(tx: Tx, { organizationId, id }: Invoice, uses: readonly PackageUse[]): Promise<void> {
  const rows = uses.map(({ purchaseId, quantity, coveredCents }) => {
    return {
      organization_id: organizationId,
      invoice_id: id,
      purchase_id: purchaseId,
      quantity,
      covered_cents: coveredCents,
    }
  })
  await tx.db.insertInto('package_use').values(rows).execute()
}
