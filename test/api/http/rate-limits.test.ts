import type { LightMyRequestResponse } from 'fastify'
import { Redis, type RedisOptions } from 'ioredis'
import { afterEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts'
import { startRedis, testedBackends } from '../../support/backends.ts'
import { buildAccount, buildSchool } from '../../support/builders.ts'
import { limited } from '../../support/limited.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const made of opened.splice(0).reverse()) await made.close()
})

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const api = await startTestApp({ ...options, env: { RATE_LIMIT_FACTOR: '1', ...options.env } })
  opened.push(api)
  return api
}

const remaining = (response: LightMyRequestResponse) => Number(response.headers['ratelimit-remaining'])
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

/** Runs work; returns how many milliseconds it took, and its answer. */
async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const began = performance.now()
  const answer = await work()
  return [performance.now() - began, answer]
}

test('every response has the RateLimit headers (§Limits)', async () => {
  const api = await start()
  const preflight = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (const [method, url, status, headers = {}] of [
    ['GET', '/health', 200],
    ['GET', '/openapi.json', 200],
    ['GET', '/nothing-here', 404],
    ['GET', '/users', 401],
    ['GET', '/metrics', 401],
    ['OPTIONS', '/users', 204, preflight],
    ['POST', '/auth', 400],
    ['GET', '/%ZZ', 400],
  ] as const) {
    const response = await api.app.inject({ method, url, headers })
    expect([url, response.statusCode]).toEqual([url, status])
    expect(response.headers['x-request-id']).toEqual(expect.any(String))
    if (status >= 400) expect(Object.keys(response.json())).toContain('message')
    for (const name of ['limit', 'remaining', 'reset']) expect(response.headers[`ratelimit-${name}`]).toMatch(/^\d+$/)
  }
})

describe('an account (§Limits)', () => {
  test('has exactly 300 requests a minute, whichever token it uses', async () => {
    // An API works on 20 requests at once for each connection.
    const api = await start({ env: { DATABASE_POOL_SIZE: '15' } })
    const { owner } = await buildSchool(api)
    const second = await api.core.tokens.issue(
      { accountId: owner.accountId, organizationId: null, membershipId: null },
      api.clock.now,
    )
    const answers = await times(300, (index) =>
      api.call('GET', '/auth/session', { token: index % 2 ? owner.token : second.token }),
    )
    expect(answers.every((answer) => answer.statusCode === 200)).toBe(true)
    expect(Math.min(...answers.map(remaining))).toBe(0)
    expect(answers[0]?.headers['ratelimit-limit']).toBe('300')
    limited(await api.as(owner).get('/auth/session'))
    const other = await buildAccount(api)
    expect((await api.call('GET', '/auth/session', { token: other.token })).statusCode).toBe(200)
  })

  test('spends two of its minute on a request about other people’s bookings', async () => {
    const api = await start()
    const { student } = await buildSchool(api)
    const openings = '/reservations/openings?startDate=2026-11-23T10:00:00Z&endDate=2026-11-23T12:00:00Z'
    const asked = await api.as(student).get(`${openings}&durationMinutes=60&type=solo`)
    expect([asked.statusCode, remaining(asked)]).toEqual([200, 298])
    const checked = await api.as(student).post('/reservations/check', {})
    expect([checked.statusCode, remaining(checked)]).toEqual([400, 296])
    expect(remaining(await api.call('GET', '/auth/session', { token: student.token }))).toBe(295)
  })
})

describe('a network address without a token (§Limits)', () => {
  test('has exactly 100 requests in five minutes, bad tokens among them', async () => {
    const api = await start()
    const answers = await times(100, (index) =>
      index % 2
        ? api.call('POST', '/organizations/invitations/lookup', { body: { token: 'guess' } })
        : api.call('GET', '/users', { token: 'no token' }),
    )
    expect(answers.some((answer) => answer.statusCode === 429)).toBe(false)
    limited(await api.call('GET', '/users'))
    const { token } = await buildAccount(api)
    expect((await api.call('GET', '/auth/session', { token })).statusCode).toBe(200)
  })

  test('is the peer’s address, whatever X-Forwarded-For claims', async () => {
    const api = await start()
    await times(100, (index) => api.call('GET', '/users', { headers: { 'x-forwarded-for': `10.0.0.${index}` } }))
    limited(await api.call('GET', '/users', { headers: { 'x-forwarded-for': '10.9.9.9' } }))
  })

  test('is the /64 of an IPv6 address, and the IPv4 address that is mapped into IPv6', async () => {
    const api = await start()
    const from = (remoteAddress: string) => api.app.inject({ method: 'GET', url: '/users', remoteAddress })
    await times(100, (index) => from(`2001:db8:1:2::${index.toString(16)}`))
    limited(await from('2001:0DB8:0001:0002:ffff:ffff:ffff:ffff'))
    expect((await from('2001:db8:1:3::1')).statusCode).toBe(401)
    await times(100, () => from('203.0.113.9'))
    limited(await from('::ffff:203.0.113.9'))
  })

  test('is what a trusted proxy says, and only the proxy’s own entry counts', async () => {
    const api = await start({ env: { TRUSTED_PROXIES: '192.0.2.7' } })
    const ask = (remoteAddress: string, forwarded: string) =>
      api.app.inject({ method: 'GET', url: '/users', remoteAddress, headers: { 'x-forwarded-for': forwarded } })
    await times(100, (index) => ask('192.0.2.7', `203.0.113.${index}, 198.51.100.4`))
    limited(await ask('192.0.2.7', '203.0.113.200, 198.51.100.4'))
    expect((await ask('192.0.2.7', '198.51.100.5')).statusCode).toBe(401)
    await times(100, (index) => ask('192.0.2.8', `198.51.100.${index}`))
    limited(await ask('192.0.2.8', '198.51.100.250'))
  })
})

describe('mails to one address (§Limits)', () => {
  test('are limited to five an hour, invitations and verification links together', async () => {
    const api = await start()
    const target = await buildAccount(api, { verified: false })
    for (let count = 0; count < 3; count++) {
      const { admin } = await buildSchool(api)
      const body = { email: target.email }
      expect((await api.call('POST', '/organizations/invite', { token: admin.token, body })).statusCode).toBe(204)
    }
    const resend = () => api.as(target).post('/auth/verify-email/resend')
    expect([(await resend()).statusCode, (await resend()).statusCode]).toEqual([204, 204])
    limited(await resend())
    const { admin } = await buildSchool(api)
    limited(await api.as(admin).post('/organizations/invite', { email: target.email }))
  })

  test('do not hold up an invitation when a stranger signed up with the address', async () => {
    const api = await start()
    const stranger = await buildAccount(api, { verified: false })
    for (const _ of Array(5)) {
      expect((await api.as(stranger).post('/auth/verify-email/resend')).statusCode).toBe(204)
    }
    limited(await api.as(stranger).post('/auth/verify-email/resend'))
    const { admin } = await buildSchool(api)
    expect((await api.as(admin).post('/organizations/invite', { email: stranger.email })).statusCode).toBe(204)
  })
})

describe('invitations (§Limits)', () => {
  let people = 0
  const invite = (api: TestApp, token: string, email = `p${++people}@example.com`) =>
    api.call('POST', '/organizations/invite', { token, body: { email } })

  test('are limited to three a day for one address, whichever organization sends them', async () => {
    const api = await start()
    const email = 'target@example.com'
    for (let count = 0; count < 3; count++) {
      expect((await invite(api, (await buildSchool(api)).admin.token, email)).statusCode).toBe(204)
    }
    const refused = await invite(api, (await buildSchool(api)).admin.token, email)
    limited(refused)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
  })

  test('are limited to 60 an hour for an organization, whoever sends them', async () => {
    const api = await start()
    const { admin, owner } = await buildSchool(api)
    const answers = await times(60, (index) => invite(api, index % 2 ? admin.token : owner.token))
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(60)
    limited(await invite(api, admin.token))
    limited(await invite(api, owner.token))
    expect((await invite(api, (await buildSchool(api)).admin.token)).statusCode).toBe(204)
  })

  test('are limited to 60 an hour for an account, in however many organizations', async () => {
    const api = await start()
    const [one, other] = [await buildSchool(api), await buildSchool(api)]
    const second = await api.core.database.db
      .insertInto('membership')
      .values({ organization_id: other.organizationId, account_id: one.admin.accountId, admin: true })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { token } = await api.core.tokens.issue(
      { accountId: one.admin.accountId, organizationId: other.organizationId, membershipId: second.id },
      api.clock.now,
    )
    const answers = await times(60, (index) => invite(api, index % 2 ? one.admin.token : token))
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(60)
    limited(await invite(api, token))
    expect((await invite(api, one.owner.token)).statusCode).toBe(204)
  })
})

describe('work of the desk (§Limits)', () => {
  test.each([
    ['closures', 60, 201, '/closures', { start: '2026-11-23T08:00:00Z', end: '2026-11-23T09:00:00Z', reason: 'Fog' }],
    [
      'bulk operations',
      120,
      202,
      '/reservations/bulk',
      {
        filter: { startDate: '2026-11-23T00:00:00Z', endDate: '2026-11-24T00:00:00Z' },
        action: { move: { minutes: 30 } },
        dryRun: true,
      },
    ],
  ] as const)('%s are limited to %i an hour for an account', async (_what, most, expected, url, body) => {
    const api = await start()
    const { admin, owner } = await buildSchool(api)
    const post = ({ token }: { token: string }) => api.call('POST', url, { token, body })
    const statuses = new Set<number>()
    for (let count = 0; count < most; count++) {
      statuses.add((await post(admin)).statusCode)
      // Fifty operations wait at most.
      await api.core.database.pool.query('delete from operation')
    }
    expect([...statuses]).toEqual([expected])
    limited(await post(admin))
    expect((await post(owner)).statusCode).toBe(expected)
  })
})

describe.runIf(testedBackends().includes('redis'))('two processes that share Redis', () => {
  async function connect(url: string, options: RedisOptions = {}): Promise<Redis> {
    const client = new Redis(url, { retryStrategy: () => 50, maxRetriesPerRequest: null, ...options })
    client.on('error', () => {})
    opened.push({ close: async () => client.disconnect() })
    await client.ping()
    return client
  }

  test('count together and exactly', async () => {
    const redis = await startRedis()
    opened.push({ close: redis.stop })
    const first = await start({ rateLimitRedis: await connect(redis.url) })
    const second = await start({ rateLimitRedis: await connect(redis.url) })
    const answers = await times(120, (index) => (index % 2 ? first : second).call('GET', '/users'))
    const statuses = answers.map((answer) => answer.statusCode)
    expect(statuses.filter((status) => status === 401)).toHaveLength(100)
    expect(statuses.filter((status) => status === 429)).toHaveLength(20)
  })

  test('continue to count alone while Redis is away', async () => {
    const redis = await startRedis()
    opened.push({ close: redis.stop })
    const api = await start({ rateLimitRedis: await connect(redis.url) })
    expect((await api.call('GET', '/users')).statusCode).toBe(401)
    await redis.stop()
    const answers = await times(101, () => api.call('GET', '/users'))
    const statuses = answers.map((answer) => answer.statusCode)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect(statuses.filter((status) => status === 401)).toHaveLength(100)
  })

  test('continue to count alone while Redis hangs, which few requests wait for, and together when it answers', async () => {
    const redis = await startRedis()
    opened.push({ close: redis.stop })
    const api = await start({ rateLimitRedis: await connect(redis.url, { commandTimeout: 1_000 }) })
    const ask = async () => (await api.call('GET', '/users')).statusCode
    expect(await ask()).toBe(401)
    process.kill(redis.pid(), 'SIGSTOP')
    const [waited] = await timed(ask)
    const [after, statuses] = await timed(async () => {
      const all: number[] = []
      for (let n = 0; n < 20; n++) all.push(await ask())
      return all
    })
    process.kill(redis.pid(), 'SIGCONT')
    expect(statuses).toEqual(Array(20).fill(401))
    expect(after).toBeLessThan(waited)
    const counted = await connect(redis.url)
    await counted.flushall()
    await expect.poll(async () => [await ask(), await counted.dbsize()]).toEqual([401, 1])
  })
})
