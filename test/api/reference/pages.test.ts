import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, vi } from 'vitest'
import { describeWhileIdle } from '../../../src/api/http/openapi.ts'
import { searchOver } from '../../../src/api/reference/search.ts'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest().extend(
  'page',
  ({ api }) =>
    (url: string, headers: Record<string, string> = {}) =>
      api.call('GET', url, { headers: { accept: 'text/html', ...headers } }),
)

describe('the front page and the reference', () => {
  test('link only to what is there, down to the place on the page', async ({ page }) => {
    const [seen, owed, broken] = [new Map<string, string>(), ['/'], [] as string[]]
    for (let href = owed.pop(); href !== undefined; href = owed.pop()) {
      const [path = '', anchor] = href.split('#')
      if (!seen.has(path)) {
        const { statusCode, body, headers } = await page(path)
        const isOurs =
          statusCode === 200 &&
          String(headers['content-security-policy']).startsWith("default-src 'none'; style-src 'sha")
        seen.set(path, body)
        // The operators' pages ask for a password first.
        if (statusCode >= 400 && path !== '/ops/queues') broken.push(href)
        if (isOurs) owed.push(...[...body.matchAll(/href="(\/[^"]*)"/g)].map((match) => match[1] ?? ''))
      }
      if (anchor && !seen.get(path)?.includes(`id="${anchor}"`)) broken.push(href)
    }
    expect(broken).toEqual([])
    expect(seen.size).toBeGreaterThan(30)
  })

  test('run no script and load nothing', async ({ page }) => {
    for (const url of ['/', '/docs', '/docs/reservations', '/docs/errors', '/docs/guides/webhooks', '/docs/find?q=x']) {
      const { headers, body } = await page(url)
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; style-src 'sha256-[^']+'; img-src data:; /,
      )
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      expect(body).not.toMatch(/<script|<link rel="stylesheet"|src="|style="|\son\w+="/)
    }
  })

  test('have every operation of the document, with its fields, answers and samples', async ({ api, page }) => {
    const { paths } = (await api.call('GET', '/openapi.json')).json()
    const { body } = await page('/docs/locations')
    const ids = Object.entries(paths as Record<string, Record<string, { operationId: string; tags: string[] }>>)
      .flatMap(([, methods]) => Object.values(methods))
      .filter(({ tags }) => tags[0] === 'Locations')
      .map(({ operationId }) => operationId)
    expect(ids.length).toBe(5)
    for (const id of ids) expect(body).toContain(`id="${id}"`)
    expect(body).toContain('curl -X PATCH &#39;')
    expect(body).toContain('If-Match')
  })

  test('fold the operations of a long page, and unfold the ones of a short page', async ({ page }) => {
    expect((await page('/docs/reservations')).body).toContain('<details class="card operation">')
    expect((await page('/docs/service')).body).toMatch(/<details class="card operation"( open)?>/)
  })

  test('are compressed once and kept by who has them', async ({ page }) => {
    const plain = await page('/docs/errors')
    const small = await page('/docs/errors', { 'accept-encoding': 'br' })
    expect(small.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(small.rawPayload).toString()).toBe(plain.body)
    const again = await page('/docs/errors', {
      'accept-encoding': 'br',
      'if-none-match': String(small.headers.etag),
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('are 404 where there is no such page', async ({ page }) => {
    for (const url of [
      '/docs/try/yaml',
      '/docs/nothing',
      '/docs/guides/nothing',
      '/docs/toString',
      '/docs/guides/..%2f..%2fREADME',
    ]) {
      expect((await page(url)).statusCode).toBe(404)
    }
  })
})

describe('the operations of the document', () => {
  test('are described one by one after the start, so that no request waits for all of them', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] })
    try {
      let described = 0
      const hooks: ((done: () => void) => void)[] = []
      const app = { addHook: (_: string, hook: (done: () => void) => void) => hooks.push(hook) }
      describeWhileIdle(app as never, () => ++described < 4)
      for (const hook of hooks) hook(() => {})
      vi.advanceTimersByTime(4_000)
      expect(described).toBe(0)
      vi.advanceTimersToNextTimer()
      for (const expected of [1, 2, 3, 4, 4]) {
        expect(described).toBe(expected)
        vi.advanceTimersToNextTimer()
      }
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the search of the reference', () => {
  test('finds operations by path and words, and error codes', async ({ page }) => {
    const found = async (q: string) => (await page(`/docs/find?q=${encodeURIComponent(q)}`)).body
    expect(await found('POST /reservations/check')).toContain('href="/docs/reservations#checkReservation"')
    expect(await found('resource_cl')).toContain('href="/docs/errors#RESOURCE_CLASH"')
    expect(await found('idempotency')).toContain('href="/docs/guides/idempotency"')
    expect(await found('no such thing at all')).toContain('Nothing for')
  })

  test('finds fields, parameters, headers and statuses, and sections of guides', async ({ page }) => {
    const found = async (q: string) => (await page(`/docs/find?q=${encodeURIComponent(q)}`)).body
    expect(await found('hobbs')).toMatch(/href="\/docs\/close-out#rampOut".*?<code>hobbsTimeOut/s)
    expect(await found('endedBefore')).toContain('href="/docs/reservations#listReservations"')
    expect(await found('cursor')).toContain('href="/docs/guides/paging#by-cursor"')
    expect(await found('X-Total-Count')).toContain('href="/docs/guides/paging"')
    expect(await found('If-Match')).toContain('href="/docs/locations#updateLocation"')
    expect(await found('429')).toContain('href="/docs/guides/first-request#limits"')
  })

  test('counts a word that is typed twice once, and takes little longer for fifty words than for one', () => {
    const text = 'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(40)
    const entries = Array.from({ length: 300 }, (_, index) => ({ title: `T${index}`, href: '/', text, names: 'n' }))
    const search = searchOver(entries)
    expect(search('a a b')).toEqual(search('b a'))
    const fastest = (query: string) =>
      Math.min(
        ...Array.from({ length: 5 }, () => {
          const before = performance.now()
          expect(search(query)).toHaveLength(40)
          return performance.now() - before
        }),
      )
    const one = fastest('a')
    expect(fastest('a '.repeat(50))).toBeLessThan(one * 5 + 1)
    expect(fastest('a b c d e f g h i j k l m n o p q r s t u v w x y z')).toBeLessThan(one * 26 + 5)
  })

  test('shows what was typed as text', async ({ page }) => {
    const { body } = await page(`/docs/find?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    expect(body).not.toContain('<script')
    expect(body).toContain('&quot;&gt;&lt;script&gt;')
    expect((await page('/docs/find?q=a&q=b')).statusCode).toBe(200)
  })
})

describe('the address of the service itself', () => {
  test('is JSON for programs: state, version and where the parts are', async ({ api }) => {
    const { headers, body } = await api.call('GET', '/')
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(JSON.parse(body)).toEqual({
      name: 'Flightline',
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      links: { reference: '/docs', document: '/openapi.json', health: '/health', queues: '/ops/queues' },
    })
  })

  test('offers no sign-in where there are no stand-ins, nor answers one', async ({ api, page }) => {
    const { body } = await page('/', { host: 'localhost' })
    expect(body).toContain('In service.')
    expect(body).not.toMatch(/sign in as|inbox/i)
    const answer = await api.app.inject({
      method: 'POST',
      url: '/demo/sign-in',
      headers: { 'content-type': 'application/x-www-form-urlencoded', host: 'localhost' },
      payload: 'email=olivia%40bayflight.example',
    })
    expect(answer.statusCode).toBe(404)
  })
})
