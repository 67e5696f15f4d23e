import { sql } from 'kysely'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'

/** A school and its account at the payment gateway; `account` is null until one is opened. */
export interface SchoolAccount {
  /** The school's key at the payment gateway. */
  key: string
  email: string
  account: string | null
  /** Whether the account can receive payments. Invoices go through it only then. */
  ready: boolean
}

/** Returns the stored account of the school; null when the organization does not exist. */
export async function findSchoolAccount(db: Db, organizationId: number): Promise<SchoolAccount | null> {
  const row = await db
    .selectFrom('organization')
    .select(['settings', 'details', 'gateway_key'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!row) return null
  const { stripeAccountId, stripeAccountReady } = readSettings(row.settings)
  return {
    key: row.gateway_key,
    email: row.details.email,
    account: stripeAccountId,
    ready: stripeAccountReady,
  }
}

/** Returns the ids of up to 100 organizations whose account cannot receive payments yet and that have no waiting job of this name. */
export async function findUnreadyAccounts(db: Db, job: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from organization
    where settings ->> 'stripeAccountId' is not null
      and coalesce((settings ->> 'stripeAccountReady')::boolean, false) = false
      and not exists (select 1 from outbox o where o.organization_id = organization.id
        and o.job = ${job} and o.failed_at is null)
    limit 100`.execute(db)
  return rows.map(({ id }) => id)
}
