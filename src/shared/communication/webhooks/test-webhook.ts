import { randomUUID } from 'node:crypto'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { communicationErrors } from '../communication.errors.ts'
import { payloadOf, queueEvent, storeEvent } from './record-event.ts'
import { startDeliveries } from './start-deliveries.ts'
import { lockWebhook } from './webhook.access.ts'

/** The type of a test event; nobody subscribes to it. */
const TEST_EVENT = 'webhook.test'

/** Sends an event of type `webhook.test` to one endpoint. Returns the id of the event. */
export async function testWebhook(tx: Tx, { organizationId }: Actor, id: number): Promise<{ eventId: string }> {
  const endpoint = await lockWebhook(tx, organizationId, id)
  assertIsActive(endpoint)
  const eventId = randomUUID()
  const event = { organizationId, id: eventId, type: TEST_EVENT, subject: `test:${eventId}`, at: tx.now }
  await storeEvent(tx, { ...event, payload: payloadOf(event, { webhook: { id } }) })
  await queueEvent(tx, event, id)
  await startDeliveries(tx, endpoint)
  return { eventId }
}

/** Ensures that an endpoint is active. */
export function assertIsActive({ active }: { active: boolean }): void {
  if (!active) throw communicationErrors.webhookOff()
}
