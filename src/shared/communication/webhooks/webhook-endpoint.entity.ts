import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { instant, tenantRecord } from '../../platform/db/columns.ts'
import type { PublicEventKind } from '../../platform/events/event-kinds.ts'

/**
 * A URL to which an organization has events delivered, and their types. Secrets are encrypted with a key of the
 * service.
 */
export const WebhookEndpoint = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    ...tenantRecord,
    createdById: p.integer(),
    url: p.text(),
    events: p.json<PublicEventKind[]>(),
    active: p.boolean().default(true),
    secret: p.text(),
    /** The secret before the last rotation, which signs beside the new one until `previousUntil`. */
    previousSecret: p.text().nullable(),
    previousUntil: instant().nullable(),
    /** The first failed attempt since the last success. */
    failingSince: instant().nullable(),
    /** When the service disabled it, after five days without a success. */
    disabledAt: instant().nullable(),
  },
})
export type WebhookEndpoint = InferEntity<typeof WebhookEndpoint>
