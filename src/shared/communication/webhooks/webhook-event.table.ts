import { defineEntity, p } from '@mikro-orm/core'
import { instant } from '../../platform/db/columns.ts'

/**
 * An event for webhooks, kept for 30 days. Its payload is rendered once, so that every attempt and replay sends the
 * same bytes; null until then. Kysely writes it; the ORM only declares the columns.
 */
export const WebhookEvent = defineEntity({
  name: 'WebhookEvent',
  tableName: 'webhook_event',
  properties: {
    organizationId: p.integer().primary(),
    /** `webhook-id`. */
    id: p.uuid().primary(),
    /** An increasing number: the order in which events are delivered. */
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
