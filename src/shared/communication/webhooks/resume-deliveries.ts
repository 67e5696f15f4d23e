import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import { startDeliveries } from './start-deliveries.ts'
import { lockEndpoint } from './webhook.access.ts'
import { findStuck, hasLostItsJob } from './webhook-delivery.access.ts'
import { findLateUnrendered } from './webhook-event.queries.ts'
import { renderWebhook } from './webhooks.jobs.ts'

/** A delivery that has not changed for this long, and has no job, has lost it. */
const LOST_SECONDS = 300
/** The most endpoints of one run. */
const AT_ONCE = 100

/**
 * Queues deliveries again whose job was given up while our own database or queue was away, and starts what is queued
 * while slots are free. Usually there is nothing to do.
 */
export async function resumeDeliveries(tx: Tx, lostAfterSeconds = LOST_SECONDS): Promise<void> {
  // To render an event twice does nothing.
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
