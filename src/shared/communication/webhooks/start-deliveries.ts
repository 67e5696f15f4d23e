import type { Tx } from '../../platform/db/transaction.ts'
import type { WebhookEndpoint } from '../webhooks.tables.ts'
import { findStartable } from './webhook-delivery.access.ts'
import { sendWebhook } from './webhooks.jobs.ts'

/** The most concurrent requests to one endpoint. */
const SLOTS = 8
/** The most concurrent requests to a failing endpoint, so that a receiver that does not answer blocks only one job. */
const SLOTS_WHILE_FAILING = 1

/**
 * Assigns the free slots of an active endpoint to its oldest queued deliveries, one per subject, and enqueues their
 * jobs. The caller holds the endpoint's lock, so that no slot is assigned twice.
 * Implements docs/decisions/0018.
 */
export async function startDeliveries(tx: Tx, endpoint: WebhookEndpoint): Promise<void> {
  if (!endpoint.active) return
  const { organizationId, id: endpointId } = endpoint
  const slots = endpoint.failingSince ? SLOTS_WHILE_FAILING : SLOTS
  const startable = await findStartable(tx, { organizationId, endpointId }, slots)
  for (const { id, attempt } of startable) {
    const jobId = tx.enqueue(sendWebhook, { organizationId, deliveryId: id, attempt })
    await tx.db
      .updateTable('webhook_delivery')
      .set({ state: 'active', attempt, job_id: jobId, next_attempt_at: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute()
  }
}
