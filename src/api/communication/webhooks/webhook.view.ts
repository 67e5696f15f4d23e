import type { z } from 'zod'
import type { WebhookDeliveryRow, WebhookRow } from '../../../shared/communication/webhooks/webhook.queries.ts'
import { maskedUrl } from '../../../shared/communication/webhooks/webhook-data.rules.ts'
import type { WebhookDeliveryState } from '../../../shared/communication/webhooks.tables.ts'
import { iso } from '../../http/iso.ts'
import type { Webhook, WebhookDelivery } from './webhooks.schemas.ts'

export function webhookView(row: WebhookRow): z.input<typeof Webhook> {
  return {
    id: row.id,
    url: maskedUrl(row.url),
    events: row.events,
    active: row.active,
    disabledAt: iso(row.disabled_at ?? null),
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}

const statusOf: Record<WebhookDeliveryState, 'pending' | 'succeeded' | 'failed'> = {
  queued: 'pending',
  active: 'pending',
  waiting: 'pending',
  succeeded: 'succeeded',
  failed: 'failed',
}

export function webhookDeliveryView(row: WebhookDeliveryRow): z.input<typeof WebhookDelivery> {
  return {
    id: row.id,
    eventId: row.event_id,
    type: row.type,
    attempt: row.attempt,
    status: statusOf[row.state],
    responseStatus: row.response_status ?? null,
    latencyMs: row.latency_ms ?? null,
    responseBody: row.response_body ?? null,
    error: row.error ?? null,
    nextAttemptAt: iso(row.next_attempt_at ?? null),
    request: { url: maskedUrl(row.url), body: row.payload ?? null },
    createdAt: iso(row.created_at),
    updatedAt: iso(row.updated_at),
  }
}
