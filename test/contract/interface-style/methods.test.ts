import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { sharedSchoolTest } from '../../support/fixtures.ts'

const test = sharedSchoolTest({ env: { RATE_LIMIT_FACTOR: '1000' } })

const { paths }: { paths: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../../../interface/openapi.json', import.meta.url), 'utf8'),
)
const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const
const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** An address of each path, with numbers for its parameters. */
const addresses = Object.keys(paths).map((path) => path.replace(/\{[^}]+\}/g, '7'))
/** The methods of an address: those of its own path, or of every path that matches it. */
const has = (address: string) =>
  (paths[address] ? [[address, paths[address]] as const] : Object.entries(paths))
    .filter(([path]) => new RegExp(`^${path.replace(/\./g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`).test(address))
    .flatMap(([, operations]) => Object.keys(operations).map((verb) => verb.toUpperCase()))

describe('a method that an address does not have', () => {
  test('is 405 with the methods that it has, for everybody alike', async ({ api, school }) => {
    const wrong: string[] = []
    for (const address of addresses) {
      const allowed = has(address)
      for (const method of methods.filter((one) => !allowed.includes(one))) {
        const { statusCode, headers, body } = await api.app.inject({ method, url: address })
        const told = String(headers.allow).split(', ')
        const isRight = allowed.every((one) => told.includes(one)) && !told.includes(method)
        if (statusCode !== 405 || !isRight) wrong.push(`${method} ${address}: ${statusCode} ${headers.allow} ${body}`)
      }
    }
    expect(wrong).toEqual([])
    const asked = [undefined, school.student.token, school.owner.token].map((token) =>
      api.call('PUT', '/locations', { token, body: {} }),
    )
    const answers = (await Promise.all(asked)).map(({ statusCode, headers, body }) => [statusCode, headers.allow, body])
    expect(answers).toEqual(Array(3).fill(answers[0]))
  })

  test('is told in the envelope with a code, before the body is read', async ({ api }) => {
    const payload = '{"broken'
    const headers = { 'content-type': 'application/xml' }
    const answer = await api.app.inject({ method: 'DELETE', url: '/locations?limit=1', payload, headers })
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect(answer.json()).toEqual({
      message: 'This address has other methods: GET, HEAD, POST, OPTIONS.',
      code: 'METHOD_NOT_ALLOWED',
    })
    const problem = await api.call('DELETE', '/locations', { headers: { accept: 'application/problem+json' } })
    expect(problem.json()).toMatchObject({ status: 405, type: '/docs/errors#METHOD_NOT_ALLOWED' })
  })

  test('is 405 as HEAD and as any other, and the address is read as the router reads it', async ({ api }) => {
    const answers = await Promise.all([
      api.app.inject({ method: 'HEAD', url: '/auth/verify-email' }),
      api.app.inject({ method: 'PROPFIND' as never, url: '/locations' }),
      api.app.inject({ method: 'DELETE', url: '/loc%61tions' }),
      api.app.inject({ method: 'POST', url: '/docs#top' }),
      api.app.inject({ method: 'POST', url: '/calendar/x.ics' }),
    ])
    expect(answers.map(({ statusCode, headers }) => [statusCode, headers.allow])).toEqual([
      [405, 'POST, OPTIONS'],
      [405, 'GET, HEAD, POST, OPTIONS'],
      [405, 'GET, HEAD, POST, OPTIONS'],
      [405, 'GET, HEAD, OPTIONS'],
      [405, 'GET, HEAD, OPTIONS'],
    ])
    expect(answers[0]?.body).toBe('')
  })

  test('is 405 where a word of ours stands in place of an id', async ({ api, school }) => {
    const checked = await api.as(school.admin).get('/reservations/check')
    expect([checked.statusCode, checked.headers.allow]).toEqual([405, 'POST, OPTIONS'])
    expect((await api.as(school.admin).get('/reservations/check2')).statusCode).toBe(400)
  })

  test('of an unknown address is 404, and the operators’ pages tell nothing', async ({ api }) => {
    const unknown = [
      '/nothing',
      '/auth/session/',
      '/LOCATIONS',
      '/docs/guides/a/b',
      '/metrics',
      '/ops/queues',
      '/ops/x',
    ]
    for (const url of unknown) {
      const answer = await api.app.inject({ method: 'PATCH', url })
      expect([url, answer.statusCode, answer.headers.allow]).toEqual([url, 404, undefined])
      expect(answer.json()).toEqual({ message: 'There is nothing at this address.' })
    }
  })
})

describe('OPTIONS', () => {
  test('lists the methods of an address, and is 404 for an unknown one', async ({ api }) => {
    const known = await api.app.inject({ method: 'OPTIONS', url: '/locations/7' })
    expect([known.statusCode, known.headers.allow, known.body]).toEqual([204, 'GET, HEAD, PATCH, DELETE, OPTIONS', ''])
    for (const url of ['/nothing', '/metrics']) {
      expect((await api.app.inject({ method: 'OPTIONS', url })).statusCode).toBe(404)
    }
  })

  test('of a browser that asks for another site is answered for it', async ({ api }) => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'PATCH' }
    const answer = await api.app.inject({ method: 'OPTIONS', url: '/locations/7', headers })
    expect([answer.statusCode, answer.headers['access-control-allow-methods']]).toEqual([
      204,
      'GET, POST, PATCH, PUT, DELETE',
    ])
  })
})

describe('an address that nobody serves', () => {
  test('is a page for a browser, with the links that help and nothing of the request', async ({ api }) => {
    for (const url of ['/quux<script>b', '/quux?q="><script>', '/docs/quux', '/docs/guides/quux']) {
      const { statusCode, headers, body } = await api.app.inject({ url, headers: { accept: browser } })
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
        404,
        'text/html; charset=utf-8',
        'no-store',
      ])
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(body).toContain('There is no page at this address')
      for (const href of ['/', '/docs', '/docs/guides/first-request']) expect(body).toContain(`href="${href}"`)
      expect(body).not.toMatch(/<script|quux/)
    }
    const posted = await api.app.inject({ url: '/uploads', headers: { accept: browser } })
    expect([posted.statusCode, posted.headers.allow]).toEqual([405, 'POST, OPTIONS'])
    expect(posted.body).toContain('There is no page at this address')
  })

  test.for([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/html;q=0.9', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['text/html;q=0', 'application/json'],
    ['application/problem+json, text/html;q=0.5', 'application/problem+json'],
    ['TEXT/HTML', 'text/html'],
    ['text/html;q=0.8, application/json;q=0.5', 'text/html'],
  ] as const)('is, for one that accepts %s, %s', async ([accept, type], { api }) => {
    const answer = await api.app.inject({ url: '/nothing', headers: { accept } })
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, `${type}; charset=utf-8`])
  })

  test('is JSON where no preference is sent', async ({ api }) => {
    const answer = await api.app.inject({ url: '/nothing' })
    expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'There is nothing at this address.' }])
  })
})
