import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Whether an organization has billed anybody yet, is known to the processor by a customer, or moved a member's account. */
export async function hasBilled(db: Db, organizationId: number): Promise<boolean> {
  const { rows } = await sql<{ billed: boolean }>`
    select exists (select 1 from invoice where organization_id = ${organizationId} and status <> 'failed')
      or exists (select 1 from processor_customer where organization_id = ${organizationId})
      or exists (select 1 from ledger_entry where organization_id = ${organizationId}) as billed`.execute(db)
  return rows[0]?.billed ?? false
}
