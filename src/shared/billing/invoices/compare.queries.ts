import { sql } from 'kysely'
import type { GatewayAccount } from '../../platform/adapters/payments/payment-gateway.port.ts'
import type { Db } from '../../platform/db/database.ts'
import type { InvoiceToCompare } from './compare.rules.ts'

/** Returns the gateway's accounts that invoices are or were raised in, and since when invoices stand open. */
export async function findWhereInvoicesStand(db: Db): Promise<{ accounts: GatewayAccount[]; openSince: Date | null }> {
  const { rows } = await sql<{ account: GatewayAccount }>`
    select null as account union select settings ->> 'stripeAccountId' from organization
    union select processor_account from invoice`.execute(db)
  const open = await sql<{ since: Date | null }>`
    select min(created_at) as since from invoice where status = 'open' and processor_invoice_id is not null`.execute(db)
  return { accounts: rows.map(({ account }) => account), openSince: open.rows[0]?.since ?? null }
}

/** Returns the invoices of every organization that have one of these keys, or stand open at the gateway. */
export async function findInvoicesToCompare(db: Db, keys: readonly string[]): Promise<InvoiceToCompare[]> {
  const { rows } = await sql<InvoiceToCompare>`
    select id, organization_id as "organizationId", status, processor_keys as keys, processor_invoice_id is not null as issued
      from invoice where processor_keys && ${keys}::text[] or (status = 'open' and processor_invoice_id is not null)
      order by id`.execute(db)
  return rows
}
