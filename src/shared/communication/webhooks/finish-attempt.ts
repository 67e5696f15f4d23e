import type { WebhookAnswer } from '../../platform/adapters/webhooks/webhook-caller.port.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { WebhookEndpoint } from '../webhooks.tables.ts'
import { noteAnswered } from './attempt-limits.ts'
import { findAdmins } from './recipients.queries.ts'
import { isToBeDisabled, nextAttemptAt } from './retry.rules.ts'
import { startDeliveries } from './start-deliveries.ts'
import { lockEndpoint } from './webhook.access.ts'
import type { AttemptOf } from './webhook.queries.ts'
import { findActive, findEndpointOf } from './webhook-delivery.access.ts'
import { mailWebhookDisabled, retryWebhook } from './webhooks.jobs.ts'

/**
 * Writes the result of an attempt: succeeded, waiting for another attempt, or failed for good (a day after the first
 * attempt). Then starts the next delivery in the free slot. An endpoint without a success for five days is disabled,
 * and a mail to each admin is enqueued.
 * Implements docs/decisions/0018.
 */
export async function finishAttempt(
  tx: Tx,
  attempt: AttemptOf & { endpointId: number; url: string },
  answer: WebhookAnswer,
): Promise<void> {
  const endpoint = await lockEndpoint(tx, attempt.organizationId, attempt.endpointId)
  const delivery = await findActive(tx, attempt)
  if (!endpoint || !delivery) return
  const answered = {
    response_status: answer.status,
    latency_ms: answer.latencyMs,
    response_body: answer.body,
    error: answer.error,
    first_attempt_at: delivery.first_attempt_at ?? tx.now,
  }
  if (answer.error === null) {
    await end(tx, attempt, { ...answered, state: 'succeeded' })
    await noteAnswered(tx, attempt.url)
    endpoint.failingSince = null
  } else {
    const next = nextAttemptAt({
      attempt: attempt.attempt,
      firstAttemptAt: answered.first_attempt_at,
      now: tx.now,
      retryAfterSeconds: answer.retryAfterSeconds,
      random: Math.random(),
    })
    if (next) await wait(tx, attempt, next, answered)
    else await end(tx, attempt, { ...answered, state: 'failed' })
    await noteFailure(tx, endpoint)
  }
  await tx.em.flush()
  await startDeliveries(tx, endpoint)
}

/** Postpones an attempt that a limit does not allow yet. The attempt number stays the same. */
export async function postponeAttempt(
  tx: Tx,
  attempt: AttemptOf & { endpointId: number },
  waitMs: number,
): Promise<void> {
  const endpoint = await lockEndpoint(tx, attempt.organizationId, attempt.endpointId)
  if (!endpoint || !(await findActive(tx, attempt))) return
  await wait(tx, attempt, new Date(tx.now.getTime() + waitMs), { attempt: attempt.attempt - 1 })
  await startDeliveries(tx, endpoint)
}

/**
 * Queues a waiting delivery again, and starts queued deliveries of its endpoint while slots are free. A delivery whose
 * state or attempt has changed since is not queued.
 */
export async function queueAgain(tx: Tx, { organizationId, deliveryId, attempt }: AttemptOf): Promise<void> {
  const endpointId = await findEndpointOf(tx, { organizationId, deliveryId })
  const endpoint = endpointId === null ? null : await lockEndpoint(tx, organizationId, endpointId)
  if (!endpoint) return
  await tx.db
    .updateTable('webhook_delivery')
    .set({ state: 'queued', job_id: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .where('state', '=', 'waiting')
    .where('attempt', '=', attempt)
    .execute()
  await startDeliveries(tx, endpoint)
}

async function noteFailure(tx: Tx, endpoint: WebhookEndpoint): Promise<void> {
  const { organizationId, id: endpointId } = endpoint
  endpoint.failingSince ??= tx.now
  if (!endpoint.active || !isToBeDisabled(endpoint.failingSince, tx.now)) return
  endpoint.active = false
  endpoint.disabledAt = tx.now
  for (const orgUserId of await findAdmins(tx.db, organizationId)) {
    tx.enqueue(mailWebhookDisabled, { organizationId, endpointId, orgUserId })
  }
}

type Changes = Partial<{
  attempt: number
  state: 'succeeded' | 'failed'
  response_status: number | null
  latency_ms: number
  response_body: string | null
  error: WebhookAnswer['error']
  first_attempt_at: Date
}>

async function wait(tx: Tx, at: AttemptOf, next: Date, changes: Changes): Promise<void> {
  const { organizationId, deliveryId } = at
  const attempt = changes.attempt ?? at.attempt
  const jobId = tx.enqueue(retryWebhook, { organizationId, deliveryId, attempt }, { availableAt: next })
  await update(tx, at, { ...changes, state: 'waiting', job_id: jobId, next_attempt_at: next })
}

async function end(tx: Tx, at: AttemptOf, changes: Changes): Promise<void> {
  await update(tx, at, { ...changes, job_id: null, next_attempt_at: null })
}

interface Scheduled {
  job_id: string | null
  next_attempt_at: Date | null
}

async function update(
  tx: Tx,
  { organizationId, deliveryId }: AttemptOf,
  changes: Omit<Changes, 'state'> & Scheduled & { state?: 'succeeded' | 'failed' | 'waiting' | undefined },
): Promise<void> {
  await tx.db
    .updateTable('webhook_delivery')
    .set({ ...changes, host: null, sending_until: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .execute()
}
