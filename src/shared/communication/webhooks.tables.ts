import { type InferEntity, p } from '@mikro-orm/core'
import type { WebhookError } from '../platform/adapters/webhooks/webhook-caller.port.ts'
import type { PublicEventKind } from '../platform/contracts/event-kinds.ts'
import { instant, tenantRecord } from '../platform/db/columns.ts'
import { aggregate, log } from '../platform/db/declare-table.ts'
import { member } from '../platform/db/member-columns.ts'

/**
 * A URL that receives events of an organization, and the types of these events. Secrets are encrypted with a key of the
 * service.
 */
export const WebhookEndpoint = aggregate('webhook_endpoint', {
  exported: { without: ['secret', 'previousSecret', 'url'] },
  columns: {
    ...tenantRecord,
    createdById: member.act('work', 'others'),
    url: p.text(),
    events: p.json<PublicEventKind[]>(),
    active: p.boolean().default(true),
    secret: p.text(),
    /** The secret before the last rotation. Until `previousUntil`, requests are signed with both secrets. */
    previousSecret: p.text().nullable(),
    previousUntil: instant().nullable(),
    /** When the first attempt since the last success failed; null when none has failed since. */
    failingSince: instant().nullable(),
    /** When the service disabled it, after five days without a success. */
    disabledAt: instant().nullable(),
  },
})
export type WebhookEndpoint = InferEntity<typeof WebhookEndpoint>

/**
 * An event for webhooks. Its payload is rendered once, so that every attempt and every replay sends the same bytes. The
 * payload is null until it is rendered.
 */
export const WebhookEvent = log('webhook_event', {
  exported: false,
  /** Kept while it can be replayed. Its deliveries are deleted with it. */
  kept: { days: 30, since: 'createdAt' },
  mayName: ['payload'],
  columns: {
    organizationId: p.integer().primary(),
    /** The value of the header `webhook-id`. */
    id: p.uuid().primary(),
    /** An increasing number in the order in which the events were stored. A replay queues its events in this order. */
    sequence: p.bigint('number').autoincrement(),
    type: p.text(),
    /** `<kind>:<id>`: the record that the event is about. A receiver gets the events of one subject in their order. */
    subject: p.text(),
    at: instant(),
    payload: p.text().nullable(),
    createdAt: instant().defaultRaw('now()'),
    updatedAt: instant().defaultRaw('now()'),
  },
})

/**
 * `queued`: waits for a slot. `active`: has one of its endpoint's slots and a job that sends it. `waiting`: an attempt
 * failed, and a job queues it again at `nextAttemptAt`.
 */
export type WebhookDeliveryState = 'queued' | 'active' | 'waiting' | 'succeeded' | 'failed'

/**
 * The delivery of one event to one endpoint, with the result of its last attempt. A replay is a separate delivery.
 * Deliveries are deleted with their event.
 */
export const WebhookDelivery = log('webhook_delivery', {
  exported: false,
  mayName: ['responseBody'],
  columns: {
    ...tenantRecord,
    endpointId: p.integer(),
    eventId: p.uuid(),
    subject: p.text(),
    state: p.text().$type<WebhookDeliveryState>().default('queued'),
    /** Attempts so far, the running one included. */
    attempt: p.integer().default(0),
    firstAttemptAt: instant().nullable(),
    nextAttemptAt: instant().nullable(),
    /** The job that sends an `active` delivery, or that queues a `waiting` one again. */
    jobId: p.uuid().nullable(),
    /** The host and port of the running request, and the instant after which it no longer counts as running. */
    host: p.text().nullable(),
    sendingUntil: instant().nullable(),
    responseStatus: p.integer().nullable(),
    latencyMs: p.integer().nullable(),
    responseBody: p.text().nullable(),
    error: p.text().$type<WebhookError>().nullable(),
  },
})

/**
 * The number of requests in the present window: to one host, or to one URL that has never answered 2xx. Requests of all
 * organizations are counted together.
 */
export const WebhookRate = log('webhook_rate', {
  /** Kept for 30 days after the last window of the key. */
  kept: { days: 30, since: 'resetsAt' },
  columns: {
    /** `host <host>:<port>`, or `address <SHA-256 of the URL>`. */
    key: p.text().primary(),
    counted: p.integer(),
    resetsAt: instant(),
    /** When an address first answered 2xx. */
    answeredAt: instant().nullable(),
  },
})
