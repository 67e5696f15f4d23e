import { z } from 'zod'
import { communicationErrors } from '../../../shared/communication/communication.errors.ts'
import { replayEvents } from '../../../shared/communication/webhooks/replay-events.ts'
import { rotateSecret } from '../../../shared/communication/webhooks/rotate-secret.ts'
import { openSecret } from '../../../shared/communication/webhooks/sealed-secret.ts'
import { testWebhook } from '../../../shared/communication/webhooks/test-webhook.ts'
import {
  findWebhook,
  findWebhookWithSecret,
  listWebhookDeliveries,
  listWebhooks,
} from '../../../shared/communication/webhooks/webhook.queries.ts'
import { createWebhook, deleteWebhook, updateWebhook } from '../../../shared/communication/webhooks/write-webhook.ts'
import { admins } from '../../../shared/platform/authz/roles.ts'
import { accepted, created, done, ok, page } from '../../http/answers.ts'
import type { Call, Routes } from '../../http/endpoint.ts'
import { ListQuery, listPage } from '../../http/lists.ts'
import { envelope, IdParams } from '../../http/schemas.ts'
import type { Services } from '../../http/services.ts'
import { windowOf } from '../../http/windows.ts'
import { webhookDeliveryView, webhookView } from './webhook.view.ts'
import {
  ReplayBody,
  Replayed,
  RotateBody,
  TestSent,
  Webhook,
  WebhookBody,
  WebhookDelivery,
  WebhookPatch,
  WebhookWithSecret,
} from './webhooks.schemas.ts'

const tag = 'Webhooks'

/** The endpoints of an organization's webhooks. Implements docs/decisions/0018. */
export const webhookRoutes: Routes = (on) => {
  on.get('/webhooks', {
    id: 'listWebhooks',
    access: admins,
    tag,
    summary: 'List the webhooks',
    description: 'Lists the webhooks of the organization, without their secrets.',
    query: ListQuery,
    answers: { 200: envelope(z.array(Webhook)) },
    read: async ({ db, actor, query }) =>
      page(await listPage(listWebhooks(db, actor.organizationId), query, webhookView)),
  })

  on.post('/webhooks', {
    id: 'createWebhook',
    access: admins,
    verified: true,
    tag,
    summary: 'Add a webhook',
    description:
      'Adds a webhook and returns its secret. Each event is sent as a POST of `{ id, type, timestamp, data }`, ' +
      'signed according to Standard Webhooks, whose libraries can verify it with the secret. `data` is the record ' +
      'as an admin reads it, without contact details, notes, reasons and links. A 2xx answer within 10 seconds is ' +
      'a success; after any other result the event is sent again, for up to a day. The events of one record are ' +
      'sent in order. The address is checked now and at every attempt. The guide to webhooks in the documentation ' +
      'tells receivers what to do.',
    body: WebhookBody,
    answers: { 201: envelope(WebhookWithSecret) },
    errors: [communicationErrors.urlRefused, communicationErrors.tooManyWebhooks],
    secret: true,
    asksAgain: 'always',
    prepare: ({ services, body }) => assertIsReachable(services, body.url),
    write: (tx, { actor, body, services }) => createWebhook(tx, actor, services.connectionSecrets, body),
    answer: async ({ id }, call) => created(await withSecret(call, id)),
  })

  on.get('/webhooks/:id', {
    id: 'readWebhook',
    access: admins,
    tag,
    summary: 'Read a webhook',
    description: 'Returns a webhook without its secret.',
    params: IdParams,
    answers: { 200: envelope(Webhook) },
    read: async ({ db, actor, params }) => ok(webhookView(await findWebhook(db, actor.organizationId, params.id))),
  })

  on.patch('/webhooks/:id', {
    id: 'updateWebhook',
    access: admins,
    verified: true,
    tag,
    edits: 'webhook_endpoint',
    summary: 'Change a webhook',
    description:
      'Changes the fields that are sent. Queued events go to the new `url`; a new `url` requires the password when ' +
      'the sign-in is older than 15 minutes. Events that happen while the webhook is off are not sent later; use ' +
      'replay to send them.',
    params: IdParams,
    body: WebhookPatch,
    answers: { 200: envelope(Webhook) },
    errors: [communicationErrors.urlRefused],
    asksAgain: ({ body }) => body.url !== undefined,
    prepare: ({ services, body }) => assertIsReachable(services, body.url),
    write: (tx, { actor, params, body }) => updateWebhook(tx, actor, params.id, body),
    answer: async ({ id }, { db, actor }) => ok(webhookView(await findWebhook(db, actor.organizationId, id))),
  })

  on.delete('/webhooks/:id', {
    id: 'deleteWebhook',
    access: admins,
    tag,
    edits: 'webhook_endpoint',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook. Its queued events are not sent, and its deliveries are no longer listed.',
    params: IdParams,
    answers: { 204: null },
    write: (tx, { actor, params }) => deleteWebhook(tx, actor, params.id),
    answer: () => done(),
  })

  on.post('/webhooks/:id/rotate', {
    id: 'rotateWebhookSecret',
    access: admins,
    verified: true,
    tag,
    summary: 'Give a webhook a new secret',
    description:
      'Replaces the secret of a webhook and returns the new one. For 24 hours events are signed with both secrets, ' +
      'unless `immediately` is true. When the sign-in is older than 15 minutes, the password is required.',
    params: IdParams,
    body: RotateBody,
    answers: { 200: envelope(WebhookWithSecret) },
    secret: true,
    asksAgain: 'always',
    write: (tx, { actor, params, body, services }) =>
      rotateSecret(tx, actor, services.connectionSecrets, { id: params.id, immediately: body.immediately }),
    answer: async ({ id }, call) => ok(await withSecret(call, id)),
  })

  on.post('/webhooks/:id/test', {
    id: 'testWebhook',
    access: admins,
    verified: true,
    tag,
    summary: 'Send a test event',
    description:
      'Sends an event of the type `webhook.test`, signed and retried like any other. Limit: 10 per hour, per ' +
      'organization and over all organizations of one owner.',
    params: IdParams,
    answers: { 202: envelope(TestSent) },
    errors: [communicationErrors.webhookOff],
    rateLimit: { organization: 'webhookTests' },
    write: (tx, { actor, params }) => testWebhook(tx, actor, params.id),
    answer: (sent) => accepted(sent),
  })

  on.post('/webhooks/:id/replay', {
    id: 'replayWebhookEvents',
    access: admins,
    verified: true,
    tag,
    summary: 'Send events again',
    description:
      'Sends events again, oldest first: those of `eventIds`, or all events of the window whose types are in the ' +
      'webhook’s `events` now. The bytes and the `webhook-id` are the same; the timestamp and the signature are new. ' +
      'Events are kept for 30 days. Limits: 10,000 events in one call, and 5 calls per day, per organization and ' +
      'over all organizations of one owner.',
    params: IdParams,
    body: ReplayBody,
    answers: { 202: envelope(Replayed) },
    errors: [communicationErrors.unknownEvent, communicationErrors.tooManyEvents, communicationErrors.webhookOff],
    rateLimit: { organization: 'webhookReplays' },
    write: (tx, { actor, params, body }) => {
      const { eventIds } = body
      return replayEvents(tx, actor, { id: params.id, eventIds, window: windowOf(body, actor) })
    },
    answer: (result) => accepted(result),
  })

  on.get('/webhooks/:id/deliveries', {
    id: 'listWebhookDeliveries',
    access: admins,
    tag,
    summary: 'List the deliveries of a webhook',
    description:
      'Lists the deliveries of the last 30 days, newest first: one row for each event and each replay, with the ' +
      'result of its last attempt.',
    params: IdParams,
    query: ListQuery,
    answers: { 200: envelope(z.array(WebhookDelivery)) },
    read: async ({ db, actor: { organizationId }, params, query }) => {
      await findWebhook(db, organizationId, params.id)
      const deliveries = listWebhookDeliveries(db, organizationId, params.id)
      return page(await listPage(deliveries, query, webhookDeliveryView))
    },
  })
}

/** Checks that webhooks can be sent to a URL. */
async function assertIsReachable({ webhooks }: Services, url: string | undefined): Promise<void> {
  const problem = url === undefined ? null : await webhooks.problemOf(url)
  if (problem !== null) throw communicationErrors.urlRefused({ reason: problem })
}

/** Returns a webhook with its decrypted secret. */
async function withSecret({ db, actor, services }: Pick<Call<typeof admins>, 'db' | 'actor' | 'services'>, id: number) {
  const { organizationId } = actor
  const row = await findWebhookWithSecret(db, organizationId, id)
  const secret = openSecret(services.connectionSecrets, row.secret, { organizationId, id })
  return { ...webhookView(row), secret }
}
