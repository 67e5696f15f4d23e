import type { Tx } from '../../platform/db/transaction.ts'
import type { PackageUse } from '../flight-bill/flight-bill.types.ts'
import type { Invoice } from '../invoices.tables.ts'

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
