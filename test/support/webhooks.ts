import { randomUUID } from 'node:crypto'
import { payloadOf, queueEvent, storeEvent } from '../../src/shared/communication/webhooks/record-event.ts'
import { startDeliveries } from '../../src/shared/communication/webhooks/start-deliveries.ts'
import { lockWebhook } from '../../src/shared/communication/webhooks/webhook.access.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import type { QueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { startTestApp, type TestApp } from './app.ts'
import { startBackend } from './backends.ts'
import { createTestAuthority } from './test-authority.ts'
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'
import { startTestWorkers, type TestWorkers } from './workers.ts'

/** An API and workers that trust a test's authority, and receivers with certificates of that authority. */
export interface WebhookEnv {
  api: TestApp
  workers: TestWorkers
  /** The receivers `r0.example`, `r1.example`, …, each on its own port. */
  receivers: WebhookReceiver[]
  /** Returns the URL of a receiver. */
  url(index?: number): string
  /** The DNS entries other than the receivers'. */
  names: Map<string, string[]>
  close(): Promise<void>
}

/** The answer to the creation of an endpoint. */
export interface Endpoint {
  id: number
  secret: string
}

/** Adds a webhook to a receiver, for `squawk.opened` events. */
export async function addWebhook(env: WebhookEnv, token: string, url = env.url()): Promise<Endpoint> {
  const added = await env.api.call('POST', '/webhooks', { token, body: { url, events: ['squawk.opened'] } })
  if (added.statusCode !== 201) throw new Error(added.body)
  return added.json().data
}

/** Queues events with these subjects for an endpoint, in this order; each payload has its number. Returns their ids. */
export async function notifyOf(
  { api }: WebhookEnv,
  organizationId: number,
  endpointId: number,
  subjects: readonly string[],
): Promise<string[]> {
  const { result, enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) => {
    const ids: string[] = []
    for (const [number, subject] of subjects.entries()) {
      const event = { organizationId, id: randomUUID(), type: 'squawk.opened', subject, at: tx.now }
      await storeEvent(tx, { ...event, payload: payloadOf(event, { subject, number }) })
      await queueEvent(tx, event, endpointId)
      ids.push(event.id)
    }
    await startDeliveries(tx, await lockWebhook(tx, organizationId, endpointId))
    return ids
  })
  api.core.relay.publish(enqueued)
  return result
}

/** Promotes the waiting attempts, so that they run now. */
export async function retryNow({ workers }: WebhookEnv): Promise<void> {
  const waiting = await workers.core.queues.queue('webhooks').getDelayed()
  for (const job of waiting) if (job?.name === 'webhooks.retry-webhook') await job.promote()
}

/**
 * Starts https receivers, the API and the workers. They use the system's clock, because receivers check timestamps with
 * it.
 */
export async function startWebhooks(
  count = 1,
  { databaseUrl, backend = 'postgres' }: { databaseUrl?: string; backend?: QueueBackend['kind'] } = {},
): Promise<WebhookEnv> {
  const queues = await startBackend(backend)
  const authority = createTestAuthority()
  const hosts = Array.from({ length: count }, (_, index) => `r${index}.example`)
  const receivers = await Promise.all(hosts.map((host) => startWebhookReceiver(authority.issue(host))))
  const names = new Map(hosts.map((host) => [host, ['127.0.0.1']]))
  const api = await startTestApp({
    realTime: true,
    ...(databaseUrl && { databaseUrl }),
    ca: authority.ca,
    resolve: async (name) => names.get(name) ?? [],
    env: {
      ...queues.env,
      WEBHOOK_ALLOWED_NETWORKS: receivers.map(({ port }) => `127.0.0.1/32:${port}`).join(','),
    },
  })
  const workers = await startTestWorkers(api)
  return {
    api,
    workers,
    receivers,
    names,
    url: (index = 0) => `https://${hosts[index]}:${receivers[index]!.port}/hook?token=t`,
    async close() {
      await workers.stop()
      await api.close()
      await Promise.all(receivers.map((receiver) => receiver.close()))
      await queues.stop()
    },
  }
}
