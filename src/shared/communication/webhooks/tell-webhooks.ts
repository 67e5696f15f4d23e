import type { Tx } from '../../platform/db/transaction.ts'
import type { StoredEvent } from '../../platform/events/event.table.ts'
import { publicEventKinds } from '../../platform/events/event-kinds.ts'
import type { Subscription } from '../../platform/events/fan-out.ts'
import { queueEvent, storeEvent } from './record-event.ts'
import { isWanted } from './webhook-event.queries.ts'
import { renderWebhook } from './webhooks.jobs.ts'

/**
 * Queues events for the endpoints that want them, in their order; a job renders each of them. An event that only an
 * endpoint wants which is switched off is kept for a replay.
 */
export const webhookSubscription: Subscription = { kinds: publicEventKinds, tell: tellWebhooks }

async function tellWebhooks(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  for (const { organizationId, id, kind: type, subjectKind, subjectId, at } of events) {
    if (!(await isWanted(tx.db, organizationId, type))) continue
    const event = { organizationId, id, type, subject: `${subjectKind}:${subjectId}`, at, payload: null }
    if (!(await storeEvent(tx, event))) continue
    await queueEvent(tx, event, null)
    tx.enqueue(renderWebhook, { organizationId, eventId: id })
  }
}
