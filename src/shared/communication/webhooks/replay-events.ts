import { sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import { communicationErrors } from '../communication.errors.ts'
import { startDeliveries } from './start-deliveries.ts'
import { assertIsActive } from './test-webhook.ts'
import { lockWebhook } from './webhook.access.ts'
import { findReplayed } from './webhook-event.queries.ts'

/** The most events of one replay. */
const MOST_REPLAYED = 10_000

/**
 * The events to replay to the endpoint `id`: those with the ids `eventIds`, or the events of a window whose types
 * the endpoint subscribes to.
 */
export interface Replay {
  id: number
  window: Partial<Interval>
  eventIds?: string[] | undefined
}

/**
 * Queues events for an endpoint again, oldest first, with their original payload and `webhook-id`. Returns the number
 * of events.
 */
export async function replayEvents(
  tx: Tx,
  { organizationId }: Actor,
  { id, window, eventIds }: Replay,
): Promise<{ replayed: number }> {
  const endpoint = await lockWebhook(tx, organizationId, id)
  assertIsActive(endpoint)
  const wanted = { organizationId, eventIds, window, types: endpoint.events }
  const events = await findReplayed(tx.db, wanted, MOST_REPLAYED + 1)
  const found = new Set(events)
  const missing = eventIds?.findIndex((eventId) => !found.has(eventId)) ?? -1
  if (missing >= 0) throw communicationErrors.unknownEvent({ index: missing })
  if (events.length > MOST_REPLAYED) throw communicationErrors.tooManyEvents({ limit: MOST_REPLAYED })
  await sql`
    insert into webhook_delivery (organization_id, endpoint_id, event_id, subject, created_at)
    select organization_id, ${id}::int, id, subject, ${tx.now}
      from webhook_event where organization_id = ${organizationId} and id = any(${events}::uuid[])
     order by sequence`.execute(tx.db)
  await startDeliveries(tx, endpoint)
  return { replayed: events.length }
}
