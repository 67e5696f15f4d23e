import { payloadOf } from '../../../shared/communication/webhooks/record-event.ts'
import { storePayload } from '../../../shared/communication/webhooks/store-payload.ts'
import { toldToWebhooks } from '../../../shared/communication/webhooks/webhook-data.rules.ts'
import { findUnrendered } from '../../../shared/communication/webhooks/webhook-event.queries.ts'
import type { renderWebhook } from '../../../shared/communication/webhooks/webhooks.jobs.ts'
import type { JobProcessor } from '../../../shared/platform/jobs/job-tools.ts'
import { readSubject } from './webhook-records.ts'

/** Renders an event once, for all endpoints, attempts and replays, and starts its deliveries. */
export const renderWebhookEvent: JobProcessor<typeof renderWebhook> = async (payload, tools) => {
  const event = await findUnrendered(tools.database.db, payload)
  if (!event) return
  const record = await readSubject(tools, payload.organizationId, event.subject)
  const text = payloadOf(event, toldToWebhooks(record))
  await tools.transaction((tx) => storePayload(tx, payload, text))
}
