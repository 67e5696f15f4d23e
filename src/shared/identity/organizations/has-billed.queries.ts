import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Returns whether an organization has an invoice that did not fail, a customer at the payment gateway, or a ledger
 * entry.
 */
export async function hasBilled(db: Db, organizationId: number): Promise<boolean> {
  const { rows } = await sql<{ billed: boolean }>`
    select exists (select 1 from invoice where organization_id = ${organizationId} and status <> 'failed')
      or exists (select 1 from processor_customer where organization_id = ${organizationId})
      or exists (select 1 from ledger_entry where organization_id = ${organizationId}) as billed`.execute(db)
  return rows[0]?.billed ?? false
}
