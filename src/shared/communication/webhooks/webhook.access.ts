import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { WebhookEndpoint } from './webhook-endpoint.entity.ts'

/** Locks an endpoint: its slots are given and freed one transaction at a time. Null when there is none. */
export function lockEndpoint(tx: Tx, organizationId: number, id: number): Promise<WebhookEndpoint | null> {
  return tx.em.findOne(WebhookEndpoint, { organizationId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true })
}

/**
 * Locks an endpoint for a change.
 * @throws NotFound when the organization has no such endpoint
 */
export async function lockWebhook(tx: Tx, organizationId: number, id: number): Promise<WebhookEndpoint> {
  const endpoint = await lockEndpoint(tx, organizationId, id)
  if (!endpoint) throw platformErrors.noSuchRecord()
  return endpoint
}

/**
 * Counts the endpoints of an organization, which the caller has locked, with those of all organizations of each of its
 * owners. Returns the most that an owner has.
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
