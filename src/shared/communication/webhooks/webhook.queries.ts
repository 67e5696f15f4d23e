import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { byText, byValue, type SortKeys } from '../../platform/db/sort-keys.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

function selectWebhooks(db: Db, organizationId: number) {
  return db
    .selectFrom('webhook_endpoint')
    .select(['id', 'url', 'events', 'active', 'disabled_at', 'created_at', 'updated_at'])
    .where('organization_id', '=', organizationId)
}

/** An endpoint without its secret. */
export type WebhookRow = Awaited<ReturnType<ReturnType<typeof selectWebhooks>['execute']>>[number]

/** Lists the endpoints of an organization; there are 20 at most. */
export function listWebhooks(db: Db, organizationId: number) {
  return pageable(db, selectWebhooks(db, organizationId).orderBy('id'))
}

/** Returns one endpoint. */
export async function findWebhook(db: Db, organizationId: number, id: number): Promise<WebhookRow> {
  const row = await selectWebhooks(db, organizationId).where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

/** Returns one endpoint with its sealed secret. */
export async function findWebhookWithSecret(db: Db, organizationId: number, id: number) {
  const row = await selectWebhooks(db, organizationId).select('secret').where('id', '=', id).executeTakeFirst()
  if (!row) throw platformErrors.noSuchRecord()
  return row
}

export const webhookDeliverySortKeys: SortKeys = {
  id: byValue('d.id'),
  eventId: byValue('d.event_id'),
  type: byText('e.type'),
  attempt: byValue('d.attempt'),
  responseStatus: byValue('d.response_status'),
  latencyMs: byValue('d.latency_ms'),
  error: byText('d.error'),
  nextAttemptAt: byValue('d.next_attempt_at'),
  createdAt: byValue('d.created_at'),
  updatedAt: byValue('d.updated_at'),
}

/** Lists the deliveries of an endpoint with their payloads, newest first. */
export function listWebhookDeliveries(db: Db, organizationId: number, endpointId: number) {
  return pageable(
    db,
    db
      .selectFrom('webhook_delivery as d')
      .innerJoin('webhook_event as e', (join) =>
        join.onRef('e.organization_id', '=', 'd.organization_id').onRef('e.id', '=', 'd.event_id'),
      )
      .innerJoin('webhook_endpoint as w', (join) =>
        join.onRef('w.organization_id', '=', 'd.organization_id').onRef('w.id', '=', 'd.endpoint_id'),
      )
      .select([
        'd.id',
        'd.event_id',
        'e.type',
        'd.attempt',
        'd.state',
        'd.response_status',
        'd.latency_ms',
        'd.response_body',
        'd.error',
        'd.next_attempt_at',
        'd.created_at',
        'd.updated_at',
        'w.url',
        'e.payload',
      ])
      .where('d.organization_id', '=', organizationId)
      .where('d.endpoint_id', '=', endpointId)
      .orderBy('d.id', 'desc'),
    webhookDeliverySortKeys,
  )
}

export type WebhookDeliveryRow = Awaited<ReturnType<ReturnType<typeof listWebhookDeliveries>['slice']>>[number]

/** One attempt, identified as in the payload of its job. */
export interface AttemptOf {
  organizationId: number
  deliveryId: number
  attempt: number
}

/**
 * Returns the payload, the URL and the encrypted secrets of a running attempt. Null when the attempt is finished
 * already, or its endpoint is deleted or turned off. The delivery of a turned-off endpoint keeps its state;
 * `resumeDeliveries` queues it again when the endpoint is active again.
 */
export async function findAttempt(db: Db, { organizationId, deliveryId, attempt }: AttemptOf) {
  const row = await db
    .selectFrom('webhook_delivery as d')
    .innerJoin('webhook_event as e', (join) =>
      join.onRef('e.organization_id', '=', 'd.organization_id').onRef('e.id', '=', 'd.event_id'),
    )
    .innerJoin('webhook_endpoint as w', (join) =>
      join.onRef('w.organization_id', '=', 'd.organization_id').onRef('w.id', '=', 'd.endpoint_id'),
    )
    .select(['d.event_id', 'd.endpoint_id', 'e.payload', 'w.url', 'w.secret', 'w.previous_secret', 'w.previous_until'])
    .where('d.organization_id', '=', organizationId)
    .where('d.id', '=', deliveryId)
    .where('d.state', '=', 'active')
    .where('d.attempt', '=', attempt)
    .where('w.active', '=', true)
    .executeTakeFirst()
  return row ?? null
}

/**
 * Why a delivery is not sent yet. `limit`: a limit of its host or URL is reached. `failed`: it waits for the attempt
 * after a failed one. `turn`: it is queued.
 */
export const waitReasons = ['limit', 'failed', 'turn'] as const

/** The number of deliveries of all organizations that wait for one reason, and the age of the oldest in seconds. */
export interface WaitingDeliveries {
  state: (typeof waitReasons)[number]
  count: number
  oldestSeconds: number
}

/** Counts the waiting deliveries to active endpoints by reason. A reason without deliveries is left out. */
export async function countWaiting(db: Db): Promise<WaitingDeliveries[]> {
  const { rows } = await sql<WaitingDeliveries>`
    select case when d.state = 'queued' then 'turn' when d.error is null then 'limit' else 'failed' end as state,
           count(*)::int as count, extract(epoch from now() - min(d.created_at))::float8 as "oldestSeconds"
      from webhook_delivery d join webhook_endpoint w on w.organization_id = d.organization_id and w.id = d.endpoint_id
     -- The states of the index of what is pending.
     where d.state in ('queued', 'active', 'waiting') and d.state <> 'active' and w.active
     group by 1`.execute(db)
  return rows
}
