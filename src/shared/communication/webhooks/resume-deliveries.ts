import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { startDeliveries } from './start-deliveries.ts'
import { lockEndpoint } from './webhook.access.ts'
import { findStuck, hasLostItsJob } from './webhook-delivery.access.ts'
import { findLateUnrendered } from './webhook-event.queries.ts'
import { renderWebhook } from './webhooks.jobs.ts'

/**
 * The seconds after which an event without a payload counts as late, and an unchanged, unfinished delivery without a
 * job as lost.
 */
const LOST_SECONDS = 300
/** The most endpoints, and the most late events, per run. */
const AT_ONCE = 100

/**
 * Enqueues the rendering of late events again. Queues a delivery again when its job no longer exists, or was given up
 * while the database or the queue was not available. Then starts queued deliveries while slots are free.
 */
export async function resumeDeliveries(tx: Tx, lostAfterSeconds = LOST_SECONDS): Promise<void> {
  // Rendering an event twice has no effect.
  for (const event of await findLateUnrendered(tx.db, lostAfterSeconds, AT_ONCE)) tx.enqueue(renderWebhook, event)
  for (const { organizationId, endpointId } of await findStuck(tx, lostAfterSeconds, AT_ONCE)) {
    const endpoint = await lockEndpoint(tx, organizationId, endpointId)
    if (!endpoint) continue
    await sql`
      update webhook_delivery d set state = 'queued', job_id = null, host = null, sending_until = null
       where d.organization_id = ${organizationId} and d.endpoint_id = ${endpointId}
         and d.state in ('active', 'waiting') and ${hasLostItsJob(lostAfterSeconds)}`.execute(tx.db)
    await startDeliveries(tx, endpoint)
  }
}
