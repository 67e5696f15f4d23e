import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSchool, type School } from '../../../support/builders.ts'
import { until } from '../../../support/eventually.ts'
import type { ReceivedWebhook } from '../../../support/webhook-receiver.ts'
import { addWebhook, type Endpoint, startWebhooks, type WebhookEnv } from '../../../support/webhooks.ts'

let env: WebhookEnv
let school: School
let endpoint: Endpoint

beforeAll(async () => {
  env = await startWebhooks()
  school = await buildSchool(env.api)
  endpoint = await addWebhook(env, school.admin.token)
})
afterAll(() => env.close())

const received = () => env.receivers[0]!.received
const openSquawk = (title: string) =>
  env.api.call('POST', '/maintenance/squawks', {
    token: school.technician.token,
    body: { resource: { id: school.plane.id }, title, description: 'Left main gear.', severity: 'observation' },
  })

test('what happens is sent to the webhooks that want it, as the API answers it to an admin', async () => {
  const opened = await openSquawk('Brake drags')
  expect(opened.statusCode).toBe(201)
  await until(() => received().length === 1)
  const [{ body, headers }] = received() as [ReceivedWebhook]
  const { id } = opened.json().data
  const answer = await env.api.call('GET', `/maintenance/squawks/${id}`, { token: school.admin.token })
  // A webhook carries no links to files.
  const { files: _, ...squawk } = answer.json().data
  expect(new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).toEqual({
    id: headers['webhook-id'],
    type: 'squawk.opened',
    timestamp: expect.stringMatching(/Z$/),
    data: squawk,
  })
})

test('an event of a webhook that is switched off is not sent, and can be replayed', async () => {
  const { token } = school.admin
  const before = received().length
  const since = new Date()
  await env.api.call('PATCH', `/webhooks/${endpoint.id}`, { token, body: { active: false } })
  await openSquawk('Tyre is worn')
  const rendered = () =>
    env.api.core.database.pool.query('select from webhook_event where payload is not null and organization_id = $1', [
      school.organizationId,
    ])
  await until(async () => (await rendered()).rowCount === 2)
  const off = await env.api.call('POST', `/webhooks/${endpoint.id}/test`, { token })
  expect([off.statusCode, off.json().code]).toEqual([409, 'WEBHOOK_OFF'])
  await env.api.call('PATCH', `/webhooks/${endpoint.id}`, { token, body: { active: true } })
  const replayed = await env.api.call('POST', `/webhooks/${endpoint.id}/replay`, { token, body: { startDate: since } })
  expect(replayed.json().data).toEqual({ replayed: 1 })
  await until(() => received().length === before + 1)
  expect(JSON.parse(received().at(-1)!.body).data.title).toBe('Tyre is worn')
})
