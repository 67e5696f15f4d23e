import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { StoredEvent } from '../../platform/contracts/event.types.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Subscription } from '../../platform/events/fan-out.ts'
import { changesBilling, type SentEvent, sentEvents, sentKinds } from './sent-events.rules.ts'
import { startDeliveries } from './start-deliveries.ts'
import { lockEndpoint } from './webhook.access.ts'
import { findEndpointsOf } from './webhook-delivery.access.ts'
import { type EventOf, findBookingsOfInvoices, isWanted } from './webhook-event.queries.ts'
import { renderWebhook } from './webhooks.jobs.ts'

/** An event to deliver. */
export interface EventToQueue {
  organizationId: number
  /** The value of the header `webhook-id`. An event with a stored id is not delivered again. */
  id: string
  type: string
  /** `<kind>:<id>`. */
  subject: string
  at: Date
  /** Null when `storePayload` will store it later. */
  payload: string | null
}

/** Stores an event. Returns false when an event with this id is stored already. */
export async function storeEvent(tx: Tx, event: EventToQueue): Promise<boolean> {
  const { organizationId, id, type, subject, at, payload } = event
  const stored = await tx.db
    .insertInto('webhook_event')
    .values({ organization_id: organizationId, id, type, subject, at, payload, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/**
 * Queues a stored event for one endpoint or, when `endpointId` is null, for every active endpoint that subscribes to
 * its type.
 * Implements docs/decisions/0018.
 */
export async function queueEvent(
  tx: Tx,
  { organizationId, id, type, subject }: Pick<EventToQueue, 'organizationId' | 'id' | 'type' | 'subject'>,
  endpointId: number | null,
): Promise<void> {
  const wanted =
    endpointId === null ? sql`active and events @> ${JSON.stringify([type])}::jsonb` : sql`id = ${endpointId}`
  await sql`
    insert into webhook_delivery (organization_id, endpoint_id, event_id, subject, created_at)
    select organization_id, id, ${id}::uuid, ${subject}, ${tx.now}
      from webhook_endpoint where organization_id = ${organizationId} and ${wanted} order by id`.execute(tx.db)
}

/** Returns the payload of an event as it is sent: `{ id, type, timestamp, data }`. */
export function payloadOf({ id, type, at }: Pick<EventToQueue, 'id' | 'type' | 'at'>, data: unknown): string {
  return JSON.stringify({ id, type, timestamp: at.toISOString(), data })
}

/**
 * Queues events, in their order, for the active endpoints that subscribe to them. A job renders each event. An event
 * that only inactive endpoints subscribe to is stored, so that it can be replayed.
 */
export const webhookSubscription: Subscription = { kinds: sentKinds, handle: queueWebhookEvents }

async function queueWebhookEvents(tx: Tx, events: readonly StoredEvent[]): Promise<void> {
  const wanted = new Map<string, boolean>()
  for (const event of await sentOf(tx, events)) {
    const { organizationId, id, type } = event
    if (!wanted.has(type)) wanted.set(type, await isWanted(tx.db, organizationId, type))
    if (!wanted.get(type)) continue
    if (!(await storeEvent(tx, { ...event, payload: null }))) continue
    await queueEvent(tx, event, null)
    tx.enqueue(renderWebhook, { organizationId, eventId: id })
  }
}

/** Returns what webhooks send of these events of one organization. */
async function sentOf(tx: Tx, events: readonly StoredEvent[]): Promise<SentEvent[]> {
  const billing = events.filter(({ kind, subjectKind }) => changesBilling(kind) && subjectKind === 'invoice')
  const bookings = await findBookingsOfInvoices(tx.db, billing)
  const billedOf = ({ subjectKind, subjectId, after }: StoredEvent) =>
    subjectKind === 'invoice' ? bookings.get(subjectId) : Number(after?.reservationId ?? 0)
  return sentEvents(events, billedOf, idOfChange)
}

/**
 * Stores the payload of an event, unless it has one, and starts queued deliveries of its endpoints while slots are
 * free.
 * Implements docs/decisions/0018.
 */
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

/** Returns the id of the `reservation.changed` that follows from an event which is also sent under its own id. */
export function idOfChange(id: string): string {
  const digits = createHash('sha256').update(`${id} reservation.changed`).digest('hex')
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}
