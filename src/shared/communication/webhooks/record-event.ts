import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'

/** An event to be told. */
export interface EventToTell {
  organizationId: number
  /** `webhook-id`; an event that is there already is told no second time. */
  id: string
  type: string
  /** `<kind>:<id>`. */
  subject: string
  at: Date
  /** Null: rendered later, by `storePayload`. */
  payload: string | null
}

/** Stores an event. Returns false when it is there already. */
export async function storeEvent(tx: Tx, event: EventToTell): Promise<boolean> {
  const { organizationId, id, type, subject, at, payload } = event
  const stored = await tx.db
    .insertInto('webhook_event')
    .values({ organization_id: organizationId, id, type, subject, at, payload, created_at: tx.now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** Queues a stored event for one endpoint, or for every active one that wants its type. */
export async function queueEvent(
  tx: Tx,
  { organizationId, id, type, subject }: Pick<EventToTell, 'organizationId' | 'id' | 'type' | 'subject'>,
  endpointId: number | null,
): Promise<void> {
  const wanted =
    endpointId === null ? sql`active and events @> ${JSON.stringify([type])}::jsonb` : sql`id = ${endpointId}`
  await sql`
    insert into webhook_delivery (organization_id, endpoint_id, event_id, subject, created_at)
    select organization_id, id, ${id}::uuid, ${subject}, ${tx.now}
      from webhook_endpoint where organization_id = ${organizationId} and ${wanted} order by id`.execute(tx.db)
}

/** The payload of an event as it is sent: `{ id, type, timestamp, data }`. */
export function payloadOf({ id, type, at }: Pick<EventToTell, 'id' | 'type' | 'at'>, data: unknown): string {
  return JSON.stringify({ id, type, timestamp: at.toISOString(), data })
}
