import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { resumeDeliveries } from '../../../src/shared/communication/webhooks/resume-deliveries.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { testedBackends } from '../../support/backends.ts'
import { buildMember, buildSchool, type Member, type School } from '../../support/builders.ts'
import { until } from '../../support/eventually.ts'
import type { Answering, ReceivedWebhook } from '../../support/webhook-receiver.ts'
import {
  addWebhook,
  type Endpoint,
  notifyOf,
  retryNow,
  startWebhooks,
  type WebhookEnv,
} from '../../support/webhooks.ts'

let env: WebhookEnv
let school: School
let token: string
let endpoint: Endpoint

beforeAll(async () => {
  const [backend] = testedBackends()
  env = await startWebhooks(2, { backend })
})
afterAll(() => env.close())
beforeEach(async () => {
  // What an earlier test left to be tried again does not come in between.
  await env.api.core.database.pool.query('delete from webhook_endpoint')
  for (const receiver of env.receivers) {
    receiver.received.length = 0
    receiver.answer(accept)
  }
  school = await buildSchool(env.api)
  token = school.admin.token
  endpoint = await addWebhook(env, token)
})

const accept: Answering = (response) => response.writeHead(204).end()
const bodyOf = ({ body }: ReceivedWebhook) => JSON.parse(body).data as { subject: string; number: number }
const received = (index = 0) => env.receivers[index]!.received
const tell = (...subjects: string[]) => notifyOf(env, school.organizationId, endpoint.id, subjects)

async function deliveries(id = endpoint.id) {
  const answer = await env.api.call('GET', `/webhooks/${id}/deliveries`, { token })
  return answer.json().data as Record<string, unknown>[]
}
const statuses = async () => (await deliveries()).map(({ status }) => status)

describe('a webhook (decision 18)', () => {
  test('sends a test event that the published library verifies, and lists what was sent', async () => {
    const sent = await env.api.call('POST', `/webhooks/${endpoint.id}/test`, { token })
    expect(sent.statusCode).toBe(202)
    await until(async () => (await statuses())[0] === 'succeeded')
    const [{ headers, body, path }] = received() as [ReceivedWebhook]
    const { eventId } = sent.json().data
    expect(path).toBe('/hook?token=t')
    expect(new Webhook(endpoint.secret).verify(body, headers as Record<string, string>)).toEqual({
      id: eventId,
      type: 'webhook.test',
      timestamp: expect.stringMatching(/Z$/),
      data: { webhook: { id: endpoint.id } },
    })
    expect(await deliveries()).toMatchObject([
      {
        eventId,
        type: 'webhook.test',
        attempt: 1,
        status: 'succeeded',
        responseStatus: 204,
        responseBody: null,
        error: null,
        request: { url: env.url().replace('token=t', '***'), body },
      },
    ])
  })

  test('is signed with the old secret too after a rotation, unless the old one ends at once', async () => {
    const rotate = async (body: object) =>
      (await env.api.call('POST', `/webhooks/${endpoint.id}/rotate`, { token, body })).json().data.secret as string
    const second = await rotate({})
    await tell('squawk:1')
    await until(() => received().length === 1)
    const third = await rotate({ immediately: true })
    await tell('squawk:1')
    await until(() => received().length === 2)
    const [first, last] = received() as [ReceivedWebhook, ReceivedWebhook]
    const verifies = (secret: string, { body, headers }: ReceivedWebhook) => {
      try {
        return Boolean(new Webhook(secret).verify(body, headers as Record<string, string>))
      } catch {
        return false
      }
    }
    expect([endpoint.secret, second, third].map((secret) => verifies(secret, first))).toEqual([true, true, false])
    expect([endpoint.secret, second, third].map((secret) => verifies(secret, last))).toEqual([false, false, true])
  })

  test('tries again what was not taken with the same bytes, in the order of each record, past other records', async () => {
    let broken = true
    env.receivers[0]!.answer((response, request) => {
      const fails = broken && bodyOf(request).subject === 'squawk:1'
      response.writeHead(fails ? 500 : 204).end()
    })
    await tell('squawk:1', 'squawk:1', 'squawk:2', 'squawk:2')
    await until(async () => (await statuses()).filter((status) => status === 'succeeded').length === 2)
    expect(received().map((one) => bodyOf(one).number)).toEqual(expect.arrayContaining([0, 2, 3]))
    expect(received()).toHaveLength(3)
    broken = false
    await retryNow(env)
    await until(async () => (await statuses()).every((status) => status === 'succeeded'))
    const first = received().filter((one) => bodyOf(one).subject === 'squawk:1')
    expect(first.map((one) => bodyOf(one).number)).toEqual([0, 0, 1])
    expect(first[1]!.body).toBe(first[0]!.body)
    expect(first[1]!.headers['webhook-id']).toBe(first[0]!.headers['webhook-id'])
  })

  test('waits as long as the receiver asks for', async () => {
    env.receivers[0]!.answer((response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    await tell('squawk:1')
    await until(async () => (await deliveries())[0]?.error === 'status')
    expect(await deliveries()).toMatchObject([{ status: 'pending', responseStatus: 429, attempt: 1 }])
    const { rows } = await env.api.core.database.pool.query<{ seconds: number }>(
      `select extract(epoch from next_attempt_at - first_attempt_at)::int as seconds
         from webhook_delivery where endpoint_id = $1`,
      [endpoint.id],
    )
    expect(rows).toEqual([{ seconds: 3_600 }])
  })

  test('has one request of a record and eight in all under way, and another webhook is not held up', async () => {
    const held: (() => void)[] = []
    env.receivers[0]!.answer((response) => held.push(() => response.writeHead(204).end()))
    const subjects = Array.from({ length: 12 }, (_, index) => [`squawk:${index}`, `squawk:${index}`]).flat()
    await tell(...subjects)
    await until(() => held.length === 8)
    const other = await addWebhook(env, token, env.url(1))
    await notifyOf(env, school.organizationId, other.id, ['squawk:1'])
    await until(() => received(1).length === 1)
    expect(new Set(received().map((one) => bodyOf(one).subject)).size).toBe(8)
    expect(received()).toHaveLength(8)
    env.receivers[0]!.answer(accept)
    for (const release of held) release()
    await until(async () => (await statuses()).every((status) => status === 'succeeded'))
    expect(received()).toHaveLength(24)
    for (const subject of subjects) {
      const numbers = received()
        .map(bodyOf)
        .filter((one) => one.subject === subject)
        .map(({ number }) => number)
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    }
  })

  test('lets the next event go when one is given up, a day after its first attempt', async () => {
    env.receivers[0]!.answer((response, request) => response.writeHead(bodyOf(request).number === 0 ? 500 : 204).end())
    await tell('squawk:1', 'squawk:1')
    await until(async () => (await deliveries())[1]?.error === 'status')
    await env.api.core.database.pool.query(
      `update webhook_delivery set first_attempt_at = now() - interval '1 day' where endpoint_id = $1 and attempt = 1`,
      [endpoint.id],
    )
    await retryNow(env)
    await until(async () => (await statuses())[0] === 'succeeded')
    expect(await deliveries()).toMatchObject([
      { status: 'succeeded', attempt: 1 },
      { status: 'failed', attempt: 2, error: 'status', responseStatus: 500, nextAttemptAt: null },
    ])
  })

  test('is switched off when nothing got through for five days, and its admins are mailed', async () => {
    env.receivers[0]!.answer((response) => response.writeHead(500).end())
    await env.api.core.database.pool.query(
      `update webhook_endpoint set failing_since = now() - interval '5 days' where id = $1`,
      [endpoint.id],
    )
    await tell('squawk:1')
    await until(async () => (await deliveries())[0]?.error === 'status')
    const list = async () => (await env.api.call('GET', '/webhooks', { token })).json().data
    expect(await list()).toMatchObject([{ active: false, disabledAt: expect.any(String) }])
    await until(() => [school.owner, school.admin].every(({ email }) => env.workers.mails(email).length === 1))
    expect(env.workers.mails(school.owner.email)).toMatchObject([
      { subject: `The webhook to r0.example:${env.receivers[0]!.port} was turned off` },
    ])
    env.receivers[0]!.answer(accept)
    const on = await env.api.call('PATCH', `/webhooks/${endpoint.id}`, { token, body: { active: true } })
    expect(on.json().data).toMatchObject({ active: true, disabledAt: null })
    await retryNow(env)
    await until(async () => (await statuses())[0] === 'succeeded')
  })

  test('sends nothing once it is switched off, not even what has its job, and all of it when it is on again', async () => {
    const { database, clock, relay } = env.api.core
    const turn = (active: boolean) => env.api.call('PATCH', `/webhooks/${endpoint.id}`, { token, body: { active } })
    await tell('squawk:1')
    await until(async () => (await statuses())[0] === 'succeeded')
    await database.pool.query(`update webhook_delivery set state = 'queued', job_id = null where endpoint_id = $1`, [
      endpoint.id,
    ])
    const { enqueued } = await inTransaction(database, clock, (tx) => resumeDeliveries(tx, 0))
    expect((await turn(false)).statusCode).toBe(200)
    relay.publish(enqueued)
    await env.workers.settled()
    expect(received()).toHaveLength(1)
    expect((await turn(true)).statusCode).toBe(200)
    relay.publish((await inTransaction(database, clock, (tx) => resumeDeliveries(tx, 0))).enqueued)
    await until(async () => (await statuses())[0] === 'succeeded')
    expect(received()).toHaveLength(2)
  })

  test('replays events under their webhook-id with the same bytes and a signature of now', async () => {
    const [eventId] = await tell('squawk:1')
    await until(async () => (await statuses())[0] === 'succeeded')
    const replay = (body: object) => env.api.call('POST', `/webhooks/${endpoint.id}/replay`, { token, body })
    expect((await replay({ eventIds: [eventId] })).json().data).toEqual({ replayed: 1 })
    const minuteAgo = new Date(Date.now() - 60_000)
    expect((await replay({ startDate: minuteAgo })).json().data).toEqual({ replayed: 1 })
    expect((await replay({ startDate: '2020-01-01', endDate: minuteAgo })).json().data).toEqual({ replayed: 0 })
    expect((await replay({ startDate: minuteAgo, endDate: minuteAgo })).statusCode).toBe(400)
    expect((await replay({ endDate: minuteAgo, eventIds: [eventId] })).json().message).toMatch(/endDate/)
    await until(async () => (await statuses()).filter((status) => status === 'succeeded').length === 3)
    const [first, ...replayed] = received()
    for (const one of replayed) {
      expect(one.body).toBe(first!.body)
      expect(one.headers['webhook-id']).toBe(eventId)
      expect(new Webhook(endpoint.secret).verify(one.body, one.headers as Record<string, string>)).toBeDefined()
    }
    expect((await replay({ eventIds: ['00000000-0000-4000-8000-000000000000'] })).statusCode).toBe(400)
    expect((await replay({})).statusCode).toBe(400)
  })

  test.each([
    ['lost its job', `state = 'active', job_id = gen_random_uuid()`],
    ['lost the job that tries it again', `state = 'waiting', job_id = gen_random_uuid()`],
    ['is queued while a slot is free', `state = 'queued', job_id = null`],
  ])('is sent what %s, by the job that looks after such deliveries', async (_what, change) => {
    const ids = await tell('squawk:1')
    await until(async () => (await statuses())[0] === 'succeeded')
    const { database, clock, relay } = env.api.core
    await database.pool.query(`update webhook_delivery set ${change} where endpoint_id = $1`, [endpoint.id])
    const { enqueued } = await inTransaction(database, clock, (tx) => resumeDeliveries(tx, 0))
    relay.publish(enqueued)
    await until(() => received().length === 2)
    expect(received().map(({ headers }) => headers['webhook-id'])).toEqual([...ids, ...ids])
    await until(async () => (await statuses())[0] === 'succeeded')
  })

  test('is left alone by that job while its deliveries have theirs', async () => {
    env.receivers[0]!.answer((response) => response.writeHead(500).end())
    await tell('squawk:1')
    await until(async () => (await deliveries())[0]?.error === 'status')
    const { database, clock } = env.api.core
    expect((await inTransaction(database, clock, (tx) => resumeDeliveries(tx, 0))).enqueued).toEqual([])
  })

  test.each([
    ['is removed', ({ orgUserId }: Member) => env.api.as(school.owner).delete(`/orgUsers/${orgUserId}`)],
    [
      'is no admin any more',
      ({ accountId }: Member) => env.api.as(school.owner).patch(`/users/${accountId}/roles`, { dispatcher: true }),
    ],
  ])('is told to the owners when who made it %s', async (_what, end) => {
    const { owner, organizationId } = school
    const second = await buildMember(env.api, organizationId, ['admin'])
    await addWebhook(env, second.token, env.url(1))
    expect((await end(second)).statusCode).toBeLessThan(300)
    await until(() => env.workers.mails(owner.email).length === 1)
    const text = env.workers.mails(owner.email)[0]?.text
    expect(text).toContain(`${second.name} is no longer an admin`)
    expect(text).toContain(`r1.example:${env.receivers[1]!.port}.`)
    expect(text).not.toContain('/hook')
  })

  test('does not reach an address that DNS names since it was saved', async () => {
    env.names.set('moved.example', ['93.184.216.34'])
    const moved = await addWebhook(env, token, `https://moved.example:${env.receivers[0]!.port + 1}/`)
    env.names.set('moved.example', ['127.0.0.1'])
    await notifyOf(env, school.organizationId, moved.id, ['squawk:1'])
    await until(async () => (await deliveries(moved.id))[0]?.error === 'refused_address')
    expect(await deliveries(moved.id)).toMatchObject([{ status: 'pending', responseStatus: null, responseBody: null }])
  })
})
