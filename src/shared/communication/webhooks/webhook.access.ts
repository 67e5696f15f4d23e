import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { WebhookEndpoint } from '../webhooks.tables.ts'

/**
 * Returns an endpoint, locked; null when there is none. The lock serializes the transactions that assign and free its
 * slots.
 */
export function lockEndpoint(tx: Tx, organizationId: number, id: number): Promise<WebhookEndpoint | null> {
  return tx.em.findOne(WebhookEndpoint, { organizationId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/** Returns an endpoint to change, locked. */
export async function lockWebhook(tx: Tx, organizationId: number, id: number): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(tx, organizationId, id)
  if (!endpoint) throw platformErrors.noSuchRecord()
  return endpoint
}

/**
 * Returns the number of endpoints that count for the limit: of each owner, the endpoints of all their organizations are
 * added up, and the largest sum counts. The caller has locked the organization.
 */
export async function countEndpoints(tx: Tx, organizationId: number): Promise<number> {
  const { rows } = await sql<{ most: number }>`
    select coalesce(max(counted), 0)::int as most from (
      select count(w.id) as counted
        from membership mine
        join membership own on own.account_id = mine.account_id and own.owner and own.removed_at is null
        join webhook_endpoint w on w.organization_id = own.organization_id
       where mine.organization_id = ${organizationId} and mine.owner and mine.removed_at is null
       group by mine.account_id) as of_owner`.execute(tx.db)
  return rows[0]?.most ?? 0
}
