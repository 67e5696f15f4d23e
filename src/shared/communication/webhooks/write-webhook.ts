import { findOwners } from '../../identity/members/owner.queries.ts'
import { lockOrganization } from '../../identity/organizations/organization.access.ts'
import type { ConnectionSecrets } from '../../platform/adapters/tokens/connection-secrets.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { PublicEventKind } from '../../platform/contracts/event-kinds.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { emit } from '../../platform/events/emit.ts'
import { communicationErrors } from '../communication.errors.ts'
import { WebhookEndpoint } from '../webhooks.tables.ts'
import { findUrlsMadeBy } from './recipients.queries.ts'
import { sealSecret } from './sealed-secret.ts'
import { drawSecret } from './signature.ts'
import { startDeliveries } from './start-deliveries.ts'
import { countEndpoints, lockWebhook } from './webhook.access.ts'
import { maskedUrl } from './webhook-data.rules.ts'
import { mailWebhooksLeft } from './webhooks.jobs.ts'

/** The maximum number of webhook endpoints in all organizations of one owner together. */
const MOST_ENDPOINTS = 20

export interface WebhookInput {
  /** The caller has checked the URL, because its host name is resolved outside the transaction. */
  url: string
  events: PublicEventKind[]
}

/** Creates an endpoint with a new random secret. */
export async function createWebhook(
  tx: Tx,
  actor: Actor,
  secrets: ConnectionSecrets,
  { url, events }: WebhookInput,
): Promise<{ id: number }> {
  const { organizationId } = actor
  await lockOrganization(tx, organizationId)
  if ((await countEndpoints(tx, organizationId)) >= MOST_ENDPOINTS)
    throw communicationErrors.tooManyWebhooks({ limit: MOST_ENDPOINTS })
  const endpoint = tx.em.create(WebhookEndpoint, {
    organizationId,
    url,
    events,
    createdById: actor.orgUserId,
    secret: '',
  })
  await tx.em.flush()
  const { id } = endpoint
  endpoint.secret = sealSecret(secrets, drawSecret(), endpoint)
  emit(tx, actor, { kind: 'webhook.created', subject: { kind: 'webhook', id }, after: audited(endpoint) })
  return { id }
}

export interface WebhookChanges extends Partial<WebhookInput> {
  active?: boolean | undefined
}

/**
 * Changes the given fields. An endpoint that is activated again continues with its queued deliveries. A new URL or an
 * activation restarts the five days without a success after which an endpoint is disabled.
 */
export async function updateWebhook(
  tx: Tx,
  actor: Actor,
  id: number,
  { url, events, active }: { [Field in keyof WebhookChanges]: WebhookChanges[Field] | undefined },
): Promise<{ id: number }> {
  const endpoint = await lockWebhook(tx, actor.organizationId, id)
  const before = audited(endpoint)
  endpoint.url = url ?? endpoint.url
  endpoint.events = events ?? endpoint.events
  if (url !== undefined || active) endpoint.failingSince = null
  if (active) endpoint.disabledAt = null
  endpoint.active = active ?? endpoint.active
  await tx.em.flush()
  emit(tx, actor, { kind: 'webhook.changed', subject: { kind: 'webhook', id }, before, after: audited(endpoint) })
  await startDeliveries(tx, endpoint)
  return { id }
}

/** Deletes an endpoint, its queued deliveries and its list of past deliveries. */
export async function deleteWebhook(tx: Tx, actor: Actor, id: number): Promise<void> {
  const endpoint = await lockWebhook(tx, actor.organizationId, id)
  emit(tx, actor, { kind: 'webhook.deleted', subject: { kind: 'webhook', id }, before: audited(endpoint) })
  tx.em.remove(endpoint)
}

/** Returns the fields of an endpoint for the audit log. */
function audited({ url, events, active }: WebhookEndpoint) {
  return { url: maskedUrl(url), events, active }
}

/**
 * When a removed member or a former admin has created endpoints, enqueues a mail to every other owner with the list of
 * them. The endpoints stay active, and the former admin may control their receiver.
 */
export async function notifyOwnersOfWebhooks(
  tx: Tx,
  { organizationId, orgUserId: madeBy }: { organizationId: number; orgUserId: number },
): Promise<void> {
  if ((await findUrlsMadeBy(tx.db, { organizationId, madeBy })).length === 0) return
  for (const { orgUserId } of await findOwners(tx.db, organizationId)) {
    if (orgUserId !== madeBy) tx.enqueue(mailWebhooksLeft, { organizationId, madeBy, orgUserId })
  }
}
