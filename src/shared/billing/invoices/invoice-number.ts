import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/**
 * Returns the organization's next invoice number. The organization row stays locked until the commit, so that numbers
 * have no gaps.
 */
export async function nextInvoiceNumber(tx: Tx, organizationId: number): Promise<number> {
  const row = await tx.db
    .updateTable('organization')
    .set({ last_invoice_number: sql<number>`last_invoice_number + 1` })
    .where('id', '=', organizationId)
    .returning('last_invoice_number')
    .executeTakeFirstOrThrow()
  return row.last_invoice_number
}
