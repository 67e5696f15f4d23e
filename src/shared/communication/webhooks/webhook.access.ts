import { LockMode } from '@mikro-orm/core'
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

/** Counts the endpoints of an organization, which the caller has locked. */
export function countEndpoints(tx: Tx, organizationId: number): Promise<number> {
  return tx.em.count(WebhookEndpoint, { organizationId })
}
