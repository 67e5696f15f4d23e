import { describe, expect } from 'vitest'
import { hashPassword } from '../../../../src/shared/identity/accounts/hash-password.ts'
import { startTestApp } from '../../../support/app.ts'
import { buildSchool, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'

const test = schoolTest({ resolve: async () => addresses })
  .extend('token', { auto: true }, async ({ school }) => {
    addresses = ['93.184.216.34']
    return school.admin.token
  })
  .extend(
    'add',
    ({ api, token }) =>
      (body: object = {}) =>
        api.call('POST', '/webhooks', { token, body: { url, events: ['squawk.opened'], ...body } }),
  )
  .extend(
    'change',
    ({ api, token }) =>
      (id: number, body: object) =>
        api.call('PATCH', `/webhooks/${id}`, { token, body }),
  )
  /** The calls that would let somebody who found a token listen on. */
  .extend('calls', ({ api, school, add, change }) => (id: number, more: object = {}) => [
    () => add(more),
    () => change(id, { url, ...more }),
    () => api.as(school.admin).post(`/webhooks/${id}/rotate`, more),
  ])
  .extend('statusesOf', ({ calls }) => async (id: number, more?: object) => {
    const answers = []
    for (const send of calls(id, more)) answers.push(await send())
    return answers.map((answer) => [answer.statusCode, answer.json().code ?? answer.json().message])
  })

let addresses: string[]

const url = 'https://hooks.example.com/in?key=k'

describe('a webhook (decision 18)', () => {
  test('answers its secret when it is added and at no other time, and its address without the query', async ({
    api,
    token,
    add,
    change,
  }) => {
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

  test('keeps its secret sealed in the database, and out of the stored answer of a repeated request', async ({
    api,
    school,
    token,
  }) => {
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

  test.for<[string, string[], string]>([
    ['http://hooks.example.com/', ['93.184.216.34'], 'url: must be an https address'],
    [
      'https://hooks.example.com/',
      ['10.0.0.1'],
      'url: must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list',
    ],
    [
      'https://hooks.example.com/',
      ['93.184.216.34', '::1'],
      'url: must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list',
    ],
    ['https://me:pw@hooks.example.com/', ['93.184.216.34'], 'url: must not carry a user or a password'],
    [
      'https://2130706433/',
      [],
      'url: must not lead to a private or reserved address that WEBHOOK_ALLOWED_NETWORKS does not list',
    ],
    ['https://hooks.example.com:6379/', ['93.184.216.34'], 'url: must use port 443 or one from 1024'],
    ['https://nowhere.example/', [], 'url: must name a host that DNS knows'],
  ])('at %s (%j) is refused when it is saved', async ([wrong, found, message], { add, change }) => {
    const { id } = (await add()).json().data
    addresses = found
    for (const answer of [await add({ url: wrong }), await change(id, { url: wrong })]) {
      expect(answer.statusCode).toBe(400)
      expect(answer.json().message).toBe(message)
    }
  })

  test('is one of twenty at most, however many are added at once', async ({ add }) => {
    for (let count = 0; count < 18; count++) expect((await add()).statusCode).toBe(201)
    const answers = await Promise.all(Array.from({ length: 6 }, () => add()))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409, 409, 409])
  })

  test('is one of twenty of all organizations of an owner', async ({ api, school, add }) => {
    const other = await buildSchool(api)
    const { db } = api.core.database
    const change = { account_id: school.owner.accountId }
    await db.updateTable('membership').set(change).where('id', '=', other.owner.orgUserId).execute()
    for (let count = 0; count < 20; count++) expect((await add()).statusCode).toBe(201)
    const body = { url, events: ['squawk.opened'] }
    const full = await api.as(other.admin).post('/webhooks', body)
    expect([full.statusCode, full.json().code]).toEqual([409, 'TOO_MANY_WEBHOOKS'])
  })

  test('is gone when it is deleted', async ({ api, token, add, change }) => {
    const { id } = (await add()).json().data
    expect((await api.call('DELETE', `/webhooks/${id}`, { token })).statusCode).toBe(204)
    expect((await change(id, { active: false })).statusCode).toBe(404)
    expect((await api.call('GET', `/webhooks/${id}/deliveries`, { token })).statusCode).toBe(404)
  })
})

describe('a token of a sign-in that is older than 15 minutes', () => {
  const password = 'correct horse battery'

  let id: number
  test.beforeEach(async ({ api, school, add }) => {
    id = (await add()).json().data.id
    const password_hash = await hashPassword(password)
    const { db } = api.core.database
    await db.updateTable('account').set({ password_hash }).where('id', '=', school.admin.accountId).execute()
    api.clock.now = new Date('2026-11-21T12:15:00.001Z')
    return () => {
      api.clock.now = new Date('2026-11-21T12:00:00Z')
    }
  })

  test('adds, redirects and rotates no webhook without the password, and still switches one off', async ({
    change,
    statusesOf,
  }) => {
    const refused = [403, 'REAUTHENTICATE']
    expect(await statusesOf(id)).toEqual([refused, refused, refused])
    const wrong = [400, 'password: is not right']
    expect(await statusesOf(id, { password: 'another' })).toEqual([wrong, wrong, wrong])
    expect(await statusesOf(id, { password })).toEqual([
      [201, undefined],
      [200, undefined],
      [200, undefined],
    ])
    expect((await change(id, { active: false })).statusCode).toBe(200)
  })

  test('needs no password when the sign-in is fifteen minutes old at most', async ({ api, statusesOf }) => {
    api.clock.now = new Date('2026-11-21T12:15:00Z')
    expect((await statusesOf(id)).map(([status]) => status)).toEqual([201, 200, 200])
  })
})

describe('the limits of webhooks', () => {
  const tight = (factor: string) => startTestApp({ resolve: async () => addresses, env: { RATE_LIMIT_FACTOR: factor } })

  test('count wrong passwords of an account: ten in a quarter of an hour, here one', async () => {
    const limitedApi = await tight('0.1')
    try {
      const { admin } = await buildSchool(limitedApi)
      const { db } = limitedApi.core.database
      const change = { password_hash: await hashPassword('correct horse battery') }
      await db.updateTable('account').set(change).where('id', '=', admin.accountId).execute()
      limitedApi.clock.now = new Date(limitedApi.clock.now.getTime() + 3_600_000)
      const send = async (password?: string) =>
        (await limitedApi.as(admin).post('/webhooks', { url, events: ['squawk.opened'], password })).statusCode
      expect([await send('wrong one'), await send('wrong two'), await send()]).toEqual([400, 429, 403])
    } finally {
      await limitedApi.close()
    }
  })

  test('count tests of all organizations of an owner: ten an hour, here two', async () => {
    const limitedApi = await tight('0.2')
    try {
      const [one, two] = [await buildSchool(limitedApi), await buildSchool(limitedApi)]
      const change = { account_id: one.owner.accountId }
      const { db } = limitedApi.core.database
      await db.updateTable('membership').set(change).where('id', '=', two.owner.orgUserId).execute()
      const test = async ({ admin }: School) => {
        const hook = await limitedApi.as(admin).post('/webhooks', { url, events: ['squawk.opened'] })
        return (await limitedApi.as(admin).post(`/webhooks/${hook.json().data.id}/test`)).statusCode
      }
      expect([await test(one), await test(two), await test(two)]).toEqual([202, 202, 429])
    } finally {
      await limitedApi.close()
    }
  })
})

describe('a replay', () => {
  test('takes ten thousand events since an instant, in their order, and refuses more', async ({ api, school, add }) => {
    const { id } = (await add()).json().data
    const addEvents = (count: number) =>
      api.core.database.pool.query(
        `insert into webhook_event (organization_id, id, type, subject, at, payload)
         select $1, gen_random_uuid(), 'squawk.opened', 'squawk:' || n, '2026-11-21T11:00:00Z', '{}'
           from generate_series(1, $2::int) n`,
        [school.organizationId, count],
      )
    await addEvents(10_000)
    const replay = () => api.as(school.admin).post(`/webhooks/${id}/replay`, { startDate: '2026-11-21T11:00:00Z' })
    const answer = await replay()
    expect([answer.statusCode, answer.json().data]).toEqual([202, { replayed: 10_000 }])
    const { rows } = await api.core.database.pool.query(
      `select count(*) filter (where state = 'active')::int as active, count(*)::int as all,
              bool_and(in_order) as in_order
         from (select d.state, e.sequence > coalesce(lag(e.sequence) over (order by d.id), 0) as in_order
                 from webhook_delivery d join webhook_event e on e.id = d.event_id where d.endpoint_id = $1) as listed`,
      [id],
    )
    expect(rows).toEqual([{ active: 8, all: 10_000, in_order: true }])
    await addEvents(1)
    expect((await replay()).json().message).toBe('startDate: selects more than 10000 events; choose a later one')
  })
})
