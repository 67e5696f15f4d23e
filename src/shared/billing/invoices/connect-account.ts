import { sql } from 'kysely'
import { lockOrganization } from '../../identity/organizations/lock-organization.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { readSettings } from '../../platform/authz/organization-settings.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { connectAccount } from './invoices.jobs.ts'

/** A school and its account at the payment gateway; `account` is null until one is opened. */
export interface SchoolAccount {
  /** The school's key at the payment gateway. */
  key: string
  email: string
  account: string | null
  /** Whether the account can take money; invoices go through it from then on. */
  ready: boolean
}

/** Enqueues a job that opens the school's account at the payment gateway, or checks whether it can take money. */
export async function startConnecting(tx: Tx, { organizationId }: Actor): Promise<{ organizationId: number }> {
  tx.enqueue(connectAccount, { organizationId })
  return { organizationId }
}

/** Returns the stored account of the school; null when the organization does not exist. */
export async function findSchoolAccount(db: Db, organizationId: number): Promise<SchoolAccount | null> {
  const row = await db
    .selectFrom('organization')
    .select(['settings', 'details', 'processor_key'])
    .where('id', '=', organizationId)
    .executeTakeFirst()
  if (!row) return null
  const { stripeAccountId, stripeAccountReady } = readSettings(row.settings)
  return {
    key: row.processor_key,
    email: row.details.email,
    account: stripeAccountId,
    ready: stripeAccountReady,
  }
}

/** Stores the school's account and whether it can take money. */
export async function storeAccount(
  tx: Tx,
  organizationId: number,
  { account, ready }: { account: string; ready: boolean },
): Promise<void> {
  const organization = await lockOrganization(tx, organizationId)
  organization.settings = { ...organization.settings, stripeAccountId: account, stripeAccountReady: ready }
}

/** Enqueues a check of up to 100 accounts that cannot take money yet: the school may have finished the onboarding. */
export async function recheckUnreadyAccounts(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from organization
    where settings ->> 'stripeAccountId' is not null
      and coalesce((settings ->> 'stripeAccountReady')::boolean, false) = false
      and not exists (select 1 from outbox o where o.organization_id = organization.id
        and o.job = ${connectAccount.name} and o.failed_at is null)
    limit 100`.execute(tx.db)
  for (const { id } of rows) tx.enqueue(connectAccount, { organizationId: id })
}
