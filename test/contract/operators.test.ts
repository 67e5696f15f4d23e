import { describe, expect } from 'vitest'
import { allJobs } from '../../src/shared/composition/all-jobs.ts'
import { deliveryKinds } from '../../src/shared/platform/platform.tables.ts'
import { type Method, startTestApp, type TestApp } from '../support/app.ts'
import { buildMember, buildSchool } from '../support/builders.ts'
import { asOwner } from '../support/database.ts'
import { apiTest } from '../support/fixtures.ts'
import { routeTable } from './support/route-table.ts'

const right = `Basic ${btoa('ops:ops-password')}`

/** The pages of operators, with something in place of every parameter. */
function pagesOf({ app }: TestApp): { method: Method; url: string }[] {
  return routeTable(app)
    .map((route) => route.replaceAll('{}', 'x').replace('*', 'static/x').split(' '))
    .filter(([, url = '']) => url.startsWith('/metrics') || url.startsWith('/ops/'))
    .map(([method, url]) => ({ method: method as Method, url: url ?? '' }))
}

async function statuses(of: TestApp, headers: Record<string, string>): Promise<number[]> {
  const pages = pagesOf(of)
  expect(pages.length).toBeGreaterThan(20)
  const answers = await Promise.all(pages.map(({ method, url }) => of.call(method, url, { headers })))
  return [...new Set(answers.map(({ statusCode }) => statusCode))]
}

const test = apiTest()

describe('the dashboard of the queues, the metrics and the parts of the service', () => {
  test.for([
    ['nobody', {}],
    ['a wrong password', { authorization: `Basic ${btoa('ops:ops')}` }],
    ['a wrong user', { authorization: `Basic ${btoa('admin:ops-password')}` }],
    ['no password at all', { authorization: `Basic ${btoa('ops')}` }],
    ['something else than Basic', { authorization: 'Digest username=ops' }],
  ] as const)('are closed to %s', async ([_, headers], { api }) => {
    expect(await statuses(api, headers)).toEqual([401])
  })

  test('are closed to the owner of an organization: they show those of others', async ({ api }) => {
    const { organizationId } = await buildSchool(api)
    const { token } = await buildMember(api, organizationId, ['owner', 'admin'])
    expect(await statuses(api, { authorization: `Bearer ${token}` })).toEqual([401])
  })

  test('are open to operators', async ({ api }) => {
    for (const url of ['/metrics', '/ops/health', '/ops/queues', '/ops/queues/api/queues']) {
      const response = await api.call('GET', url, { headers: { authorization: right } })
      expect(response.statusCode, url).toBe(200)
    }
  })

  test('may be read or framed by no other site, and load nothing from one', async ({ api }) => {
    const headers = { authorization: right, origin: 'https://elsewhere.example' }
    const nothing = await api.call('GET', '/ops/nothing', { headers })
    expect(nothing.headers['access-control-allow-origin']).toBeUndefined()
    for (const url of ['/metrics', '/ops/health', '/ops/queues', '/ops/queues/api/queues']) {
      const response = await api.call('GET', url, { headers })
      expect(response.headers['access-control-allow-origin'], url).toBeUndefined()
      expect(response.headers).toMatchObject({
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      })
    }
    const page = await api.call('GET', '/ops/queues', { headers: { authorization: right } })
    expect(page.body).toContain('<div id="root">')
    expect(page.body).not.toMatch(/(href|src)="(https?:)?\/\//)
  })

  test('title a job by its subject and organization, and say nothing of Redis or of workers that they do not know', async ({
    api,
  }) => {
    const { owner } = await buildSchool(api)
    const body = { email: 'ben@bay.example', student: true }
    await api.call('POST', '/organizations/invite', { token: owner.token, body })
    const asked = { headers: { authorization: right } }
    const jobs = async (): Promise<{ name: string }[]> => {
      const { queues } = (await api.call('GET', '/ops/queues/api/queues?activeQueue=email', asked)).json()
      return queues.find((queue: { name: string }) => queue.name === 'email').jobs
    }
    await expect
      .poll(async () => (await jobs()).map((job) => job.name))
      .toContainEqual(expect.stringMatching(/^Invitation \d+, Bay Flight Academy \(organizations\.send-invitation\)$/))
    expect((await api.call('GET', '/ops/queues', asked)).body).toContain('"hideRedisDetails":true')
    const { queues } = (await api.call('GET', '/ops/queues/api/queues', asked)).json()
    expect(new Set(queues.map((queue: { hasWorkers: boolean | null }) => queue.hasWorkers))).toEqual(new Set([null]))
  })

  test.for([
    ['from the page itself', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' }, 404],
    ['by a browser that says only its origin', { origin: 'http://localhost:80' }, 404],
    ['by a program', {}, 404],
    ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example' }, 403],
    ['from another site by an old browser', { origin: 'https://elsewhere.example' }, 403],
    ['from a neighbour', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:1080' }, 403],
    ['from a page without an origin', { origin: 'null' }, 403],
  ] as const)('are changed %s or not', async ([_, headers, status], { api }) => {
    const url = '/ops/queues/api/queues/no-such-queue/pause'
    const response = await api.call('PUT', url, { headers: { authorization: right, ...headers } })
    expect(response.statusCode).toBe(status)
  })

  test('say in the envelope what goes wrong, and nothing of the inside', async ({ api }) => {
    const url = '/ops/queues/api/queues/email/add'
    const headers = { authorization: right, 'content-type': 'application/json' }
    const response = await api.call('POST', url, { headers, body: '{' })
    expect([response.statusCode, response.json().message]).toEqual([400, 'The body is not valid JSON.'])
  })

  test('are not there at all where no credentials are set', async () => {
    const closed = await startTestApp({ env: { OPS_USER: '', OPS_PASSWORD: '' } })
    expect(await statuses(closed, { authorization: right })).toEqual([404])
    await closed.close()
  })

  test('take ten wrong passwords of a network in 15 minutes; then the right one waits too, and each is logged', async () => {
    const lines: string[] = []
    const logTo = { write: (line: string) => lines.push(line) }
    const guessed = await startTestApp({ env: { RATE_LIMIT_FACTOR: '1', LOG_LEVEL: 'warn' }, logTo })
    const ask = (url: string, given: string, remoteAddress = '2001:db8::1') =>
      guessed.app.inject({ method: 'GET', url, remoteAddress, headers: { authorization: `Basic ${btoa(given)}` } })
    const urls = ['/metrics', '/ops/queues', '/ops/queues/api/queues']
    for (let count = 0; count < 10; count++) {
      expect((await ask(urls[count % 3]!, `ops:guess-${count}`)).statusCode).toBe(401)
    }
    for (const url of urls) {
      const refused = await ask(url, 'ops:ops-password', '2001:db8::2')
      expect([refused.statusCode, Object.keys(refused.json())]).toEqual([429, ['message']])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800)
    }
    expect((await ask('/metrics', 'ops:ops-password', '2001:db8:0:1::1')).statusCode).toBe(200)
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ network }) => network === '2001:db8:0:0::/64')
    expect(warnings.map(({ level }) => level)).toEqual(Array(13).fill(40))
    expect(lines.join('')).not.toContain('guess-')
    await guessed.close()
  })
})

describe('the state of the service', () => {
  test('tells everybody whether it works, and operators what of it', async ({ api }) => {
    const told = (await api.call('GET', '/health')).json()
    expect(told).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
    expect((await api.call('GET', '/health/ready')).json()).toEqual(told)
    expect((await api.call('GET', '/health/live')).json()).toEqual(told)
    const parts = await api.call('GET', '/ops/health', { headers: { authorization: right } })
    expect(parts.json()).toEqual({
      ...told,
      database: 'ok',
      queue: 'ok',
      schema: 'ok',
      uptimeSeconds: expect.any(Number),
      stuck: expect.any(Array),
    })
  })

  test('is 503 while a migration of this release is missing, which operators and the log are told', async () => {
    const lines: string[] = []
    const logTo = { write: (line: string) => void lines.push(line) }
    const behind = await startTestApp({ env: { LOG_LEVEL: 'warn' }, logTo })
    await asOwner(behind, 'delete from migration where id = (select max(id) from migration)')
    const told = await behind.call('GET', '/health')
    expect([told.statusCode, told.json()]).toEqual([503, { status: 'unavailable', version: expect.any(String) }])
    expect((await behind.call('GET', '/health/ready')).statusCode).toBe(503)
    const live = await behind.call('GET', '/health/live')
    expect([live.statusCode, live.json()]).toEqual([200, { status: 'ok', version: expect.any(String) }])
    const parts = await behind.call('GET', '/ops/health', { headers: { authorization: right } })
    expect([parts.statusCode, parts.json()]).toMatchObject([503, { database: 'ok', queue: 'ok', schema: 'outdated' }])
    expect(lines.filter((line) => line.includes('not healthy')).map((line) => JSON.parse(line))).toMatchObject([
      { schema: 'outdated' },
    ])
    await behind.close()
  })
})

describe('the metrics', () => {
  test('name routes, methods, statuses, queues and states: no id, address or organization', async ({ api }) => {
    const { organizationId } = await buildSchool(api)
    const { token } = await buildMember(api, organizationId, ['owner', 'admin'])
    const asked = ['/groups/987654321', '/nothing/of-ours?token=leak', '/uploads/987654321/leak.pdf?fileName=leak']
    for (const url of [...asked, '/calendar/leak.ics', '/%zz-leak']) await api.call('GET', url, { token })
    await api.core.database.pool.query(
      "insert into delivery (kind, subject, organization_id, attempts) select kind, 'leak/987654321', $2, 1 from unnest($1::text[]) as kind",
      [deliveryKinds, organizationId],
    )
    await api.core.database.pool.query(
      "insert into outbox (id, job, payload, available_at) values (gen_random_uuid(), 'notifications.mail-notification', '{}', now() - interval '1 hour')",
    )
    const { body } = await api.call('GET', '/metrics', { headers: { authorization: right } })
    const labels = [...body.matchAll(/^flightline_\w+\{(.*)\} /gm)].flatMap(([, text = '']) =>
      [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', value = '']) => ({ label, value })),
    )
    expect(new Set(labels.map(({ label }) => label))).toEqual(
      new Set(['le', 'method', 'route', 'status', 'queue', 'state', 'pool', 'part', 'kind', 'job']),
    )
    const valuesOf = (wanted: string) =>
      new Set(labels.flatMap(({ label, value }) => (label === wanted ? [value] : [])))
    expect([...valuesOf('job')].filter((name) => !(name in allJobs))).toEqual([])
    expect(valuesOf('pool')).toEqual(new Set(['work', 'queue']))
    expect(valuesOf('kind')).toEqual(new Set(deliveryKinds))
    const routes = new Set(routeTable(api.app).map((route) => route.split(' ')[1]))
    const templates = labels.flatMap(({ label, value }) => (label === 'route' ? [value] : []))
    // A router prints the files of a page without their folder.
    const known = (route: string) => routes.has(route.replace(/:[^/.]+/g, '{}').replace('/static/*', '/*'))
    expect(new Set(templates.filter((route) => !known(route)))).toEqual(new Set(['unknown']))
    expect(body).not.toMatch(/987654321|leak/)
  })
})
