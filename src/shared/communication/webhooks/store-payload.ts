import type { Tx } from '../../platform/db/transaction.ts'
import { startDeliveries } from './start-deliveries.ts'
import { lockEndpoint } from './webhook.access.ts'
import { findEndpointsOf } from './webhook-delivery.access.ts'
import type { EventOf } from './webhook-event.queries.ts'

/** Stores the payload of an event, once, and starts its deliveries where it is their turn. */
export async function storePayload(tx: Tx, { organizationId, eventId }: EventOf, payload: string): Promise<void> {
  await tx.db
    .updateTable('webhook_event')
    .set({ payload })
    .where('organization_id', '=', organizationId)
    .where('id', '=', eventId)
    .where('payload', 'is', null)
    .execute()
  for (const endpointId of await findEndpointsOf(tx, { organizationId, eventId })) {
    const endpoint = await lockEndpoint(tx, organizationId, endpointId)
    if (endpoint) await startDeliveries(tx, endpoint)
  }
}
