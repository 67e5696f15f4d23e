import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../support/app.ts'
import { buildSchool, type School } from '../../../support/builders.ts'

let api: TestApp
let school: School
let token: string
let addresses: string[]

beforeAll(async () => {
  api = await startTestApp({ resolve: async () => addresses })
})
afterAll(() => api.close())
beforeEach(async () => {
  addresses = ['93.184.216.34']
  school = await buildSchool(api)
  token = school.admin.token
})

const url = 'https://hooks.example.com/in?key=k'
const add = (body: object = {}) =>
  api.call('POST', '/webhooks', { token, body: { url, events: ['squawk.opened'], ...body } })
const change = (id: number, body: object) => api.call('PATCH', `/webhooks/${id}`, { token, body })

describe('a webhook', () => {
  test('answers its secret when it is added and at no other time, and its address without the query', async () => {
    const added = await add()
    expect(added.statusCode).toBe(201)
    const { secret, ...webhook } = added.json().data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toEqual({
      id: expect.any(Number),
      url: 'https://hooks.example.com/in?***',
      events: ['squawk.opened'],
      active: true,
      disabledAt: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const list = await api.call('GET', '/webhooks', { token })
    expect(list.json().data).toEqual([webhook])
    const rotated = await api.call('POST', `/webhooks/${webhook.id}/rotate`, { token, body: {} })
    expect(rotated.json().data.secret).not.toBe(secret)
    const changed = await change(webhook.id, { events: ['squawk.resolved', 'squawk.resolved'], active: false })
    expect(changed.json().data).toMatchObject({ events: ['squawk.resolved'], active: false })
    expect(changed.body).not.toContain('whsec_')
  })

  test('keeps its secret sealed in the database, and out of the stored answer of a repeated request', async () => {
    const headers = { 'idempotency-key': 'once' }
    const body = { url, events: ['squawk.opened'] }
    const [first, again] = [
      await api.call('POST', '/webhooks', { token, body, headers }),
      await api.call('POST', '/webhooks', { token, body, headers }),
    ]
    const { secret } = first.json().data
    expect(again.json().data.secret).toBe(secret)
    const stored = await api.core.database.pool.query<{ row: string }>(
      `select webhook_endpoint::text as row from webhook_endpoint where organization_id = $1
       union all select idempotency_key::text from idempotency_key where organization_id = $1`,
      [school.organizationId],
    )
    expect(stored.rows).toHaveLength(2)
    expect(stored.rows.map(({ row }) => row).join()).not.toContain(secret.slice('whsec_'.length))
  })

  test.each([
    ['http://hooks.example.com/', ['93.184.216.34'], 'url: must be an https address'],
    ['https://hooks.example.com/', ['10.0.0.1'], 'url: must not lead to a private or reserved address'],
    ['https://hooks.example.com/', ['93.184.216.34', '::1'], 'url: must not lead to a private or reserved address'],
    ['https://me:pw@hooks.example.com/', ['93.184.216.34'], 'url: must not carry a user or a password'],
    ['https://2130706433/', [], 'url: must not lead to a private or reserved address'],
    ['https://hooks.example.com:6379/', ['93.184.216.34'], 'url: must use port 443 or one from 1024'],
    ['https://nowhere.example/', [], 'url: must name a host that DNS knows'],
  ])('at %s (%j) is refused when it is saved', async (wrong, found, message) => {
    const { id } = (await add()).json().data
    addresses = found
    for (const answer of [await add({ url: wrong }), await change(id, { url: wrong })]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json().message).toBe(message)
    }
  })

  test('is one of twenty at most, however many are added at once', async () => {
    for (let count = 0; count < 18; count++) expect((await add()).statusCode).toBe(201)
    const answers = await Promise.all(Array.from({ length: 6 }, () => add()))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409, 409, 409])
  })

  test('is gone when it is deleted', async () => {
    const { id } = (await add()).json().data
    expect((await api.call('DELETE', `/webhooks/${id}`, { token })).statusCode).toBe(204)
    expect((await change(id, { active: false })).statusCode).toBe(404)
    expect((await api.call('GET', `/webhooks/${id}/deliveries`, { token })).statusCode).toBe(404)
  })
})
