import { defineEntity, p } from '@mikro-orm/core'
import type { WebhookError } from '../../platform/adapters/webhooks/webhook-caller.port.ts'
import { instant, tenantRecord } from '../../platform/db/columns.ts'

/**
 * `queued`: waits for a slot. `active`: has one of its endpoint's slots and a job that sends it. `waiting`: an attempt
 * failed, and a job queues it again at `nextAttemptAt`.
 */
export type WebhookDeliveryState = 'queued' | 'active' | 'waiting' | 'succeeded' | 'failed'

/**
 * One event for one endpoint, with the result of its last attempt. A replay is another row. Kept for 30 days. Kysely
 * writes it; the ORM only declares the columns.
 */
export const WebhookDelivery = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    ...tenantRecord,
    endpointId: p.integer(),
    eventId: p.uuid(),
    subject: p.text(),
    state: p.text().$type<WebhookDeliveryState>().default('queued'),
    /** Attempts so far, the running one included. */
    attempt: p.integer().default(0),
    firstAttemptAt: instant().nullable(),
    nextAttemptAt: instant().nullable(),
    /** The job of `active` and `waiting`. */
    jobId: p.uuid().nullable(),
    /** The host and port of the running request, and the instant until which it counts as running. */
    host: p.text().nullable(),
    sendingUntil: instant().nullable(),
    responseStatus: p.integer().nullable(),
    latencyMs: p.integer().nullable(),
    responseBody: p.text().nullable(),
    error: p.text().$type<WebhookError>().nullable(),
  },
})

/**
 * The number of requests in a window to one host, or to one address that has never answered 2xx, from all organizations
 * together. Kysely writes it; the ORM only declares the columns.
 */
export const WebhookRate = defineEntity({
  name: 'WebhookRate',
  tableName: 'webhook_rate',
  properties: {
    /** `host <host>:<port>`, or `address <SHA-256 of the URL>`. */
    key: p.text().primary(),
    counted: p.integer(),
    resetsAt: instant(),
    /** When an address first answered 2xx. */
    answeredAt: instant().nullable(),
  },
})
