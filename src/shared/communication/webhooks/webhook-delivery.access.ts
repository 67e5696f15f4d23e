import { sql } from 'kysely'
import type { Tx } from '../../platform/db/transaction.ts'
import type { AttemptOf } from './webhook.queries.ts'
import type { EventOf } from './webhook-event.queries.ts'

/** The ids of an endpoint and of its organization. */
export interface EndpointOf {
  organizationId: number
  endpointId: number
}

/**
 * Returns the oldest queued deliveries of an endpoint, as many as there are free slots among `slots`, each with the
 * number of its next attempt. Skips a delivery while an earlier one of the same subject is unfinished, and while its
 * payload is not rendered. The caller holds the endpoint's lock.
 */
export async function findStartable(tx: Tx, { organizationId, endpointId }: EndpointOf, slots: number) {
  const { rows } = await sql<{ id: number; attempt: number }>`
    select d.id, d.attempt + 1 as attempt
      from webhook_delivery d join webhook_event e on e.organization_id = d.organization_id and e.id = d.event_id
     where d.organization_id = ${organizationId} and d.endpoint_id = ${endpointId} and d.state = 'queued'
       and e.payload is not null
       and not exists (
         select from webhook_delivery p
          where p.organization_id = d.organization_id and p.endpoint_id = d.endpoint_id and p.subject = d.subject
            and p.id <> d.id and (p.state in ('active', 'waiting') or p.state = 'queued' and p.id < d.id))
     order by d.id
     limit greatest(0, ${slots} - (
       select count(*) from webhook_delivery a
        where a.organization_id = ${organizationId} and a.endpoint_id = ${endpointId} and a.state = 'active'))`.execute(
    tx.db,
  )
  return rows
}

/** Returns the delivery of an attempt that is running; undefined when the attempt is not running. */
export function findActive(tx: Tx, { organizationId, deliveryId, attempt }: AttemptOf) {
  return tx.db
    .selectFrom('webhook_delivery')
    .select('first_attempt_at')
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .where('state', '=', 'active')
    .where('attempt', '=', attempt)
    .executeTakeFirst()
}

/** Returns the id of a delivery's endpoint; null when the delivery does not exist. */
export async function findEndpointOf(
  tx: Tx,
  { organizationId, deliveryId }: Pick<AttemptOf, 'organizationId' | 'deliveryId'>,
): Promise<number | null> {
  const row = await tx.db
    .selectFrom('webhook_delivery')
    .select('endpoint_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .executeTakeFirst()
  return row?.endpoint_id ?? null
}

/**
 * Returns the ids of the endpoints for which an event is queued, in ascending order. Callers lock the endpoints in this
 * order.
 */
export async function findEndpointsOf(tx: Tx, { organizationId, eventId }: EventOf): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('webhook_delivery')
    .select('endpoint_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('event_id', '=', eventId)
    .where('state', '=', 'queued')
    .orderBy('endpoint_id')
    .execute()
  return rows.map(({ endpoint_id }) => endpoint_id)
}

/** Returns the number of running requests to a host, except that of the given delivery. */
export async function countRunning(tx: Tx, host: string, deliveryId: number): Promise<number> {
  const { rows } = await sql<{ running: number }>`
    select count(*) as running from webhook_delivery
     where host = ${host} and sending_until > now() and id <> ${deliveryId}`.execute(tx.db)
  return Number(rows[0]?.running)
}

/**
 * SQL condition that a delivery `d` has not changed for this many seconds, and its job does not exist or was given up.
 */
export const hasLostItsJob = (seconds: number) => sql`d.updated_at < now() - make_interval(secs => ${seconds})
  and not exists (select from outbox o where o.id = d.job_id and o.failed_at is null)`

/** Returns at most `most` active endpoints that have a queued delivery, or a delivery that has lost its job. */
export async function findStuck(tx: Tx, lostAfterSeconds: number, most: number): Promise<EndpointOf[]> {
  const { rows } = await sql<EndpointOf>`
    select distinct d.organization_id as "organizationId", d.endpoint_id as "endpointId"
      from webhook_delivery d join webhook_endpoint w on w.organization_id = d.organization_id and w.id = d.endpoint_id
     where w.active and (d.state = 'queued' or d.state in ('active', 'waiting') and ${hasLostItsJob(lostAfterSeconds)})
     order by 1, 2 limit ${most}`.execute(tx.db)
  return rows
}
