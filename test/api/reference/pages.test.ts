import { brotliDecompressSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { type Document, hrefOf, operationsOf } from '../../../src/api/reference/document.ts'
import { fieldsOf } from '../../../src/api/reference/fields.ts'
import { typescriptSample } from '../../../src/api/reference/samples.ts'
import { searchOver } from '../../../src/api/reference/search.ts'
import { publicEventKinds } from '../../../src/shared/platform/contracts/event-kinds.ts'
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

  test('list the fields of every body, whatever its media type', async ({ api, page }) => {
    const document = (await api.call('GET', '/openapi.json')).json<Document>()
    const bodies = operationsOf(document).flatMap((operation) => {
      const medias = Object.entries(operation.requestBody?.content ?? {})
      return medias.map(([media, { schema = {} }]) => ({ operation, media, fields: fieldsOf(document, schema) }))
    })
    expect(new Set(bodies.map(({ media }) => media))).toEqual(new Set(['application/json', 'multipart/form-data']))
    const missing: string[] = []
    for (const { operation, fields } of bodies) {
      const [path = '', id] = hrefOf(operation).split('#')
      const section = (await page(path)).body.split(`<div id="${id}">`)[1]?.split('<h3>Answers</h3>')[0] ?? ''
      if (!section.includes('<h3>Body</h3>')) missing.push(operation.operationId)
      missing.push(...fields.filter((field) => !section.includes(`<code>${field.path}</code>`)).map((one) => one.path))
    }
    expect(missing).toEqual([])
  })

  test('show how a form is sent, part by part', async ({ page }) => {
    const { body } = await page('/docs/uploads')
    expect(body).toContain('<p>As <code>multipart/form-data</code>, with these parts:</p>')
    expect(body).toMatch(/<code>file<\/code><\/dt><dd>file, required/)
    expect(body).toContain('-F &#39;signature=…&#39; \\\n  -F &#39;file=@document.pdf&#39;')
    expect(body).toContain('form.append(&#39;file&#39;, file)')
    expect((await page('/docs/find?q=signature')).body).toContain('href="/docs/uploads#uploadFile"')
  })

  test('read data in a sample only of an answer that has it', async ({ api }) => {
    const document = (await api.call('GET', '/openapi.json')).json<Document>()
    const wrong = operationsOf(document).filter((operation) => {
      const success = Object.entries(operation.responses).filter(([status]) => status < '300')
      const hasData = success.some(([, { content }]) => content?.['application/json'])
      return typescriptSample(document, '', operation).includes('const { data }') !== hasData
    })
    expect(wrong.map(({ operationId }) => operationId)).toEqual([])
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

test('the page of events says of each type when it is sent, with an example of it', async ({ page }) => {
  const { body } = await page('/docs/events')
  const sections = body.split('<section').slice(1)
  expect(sections).toHaveLength(publicEventKinds.length)
  for (const [index, type] of publicEventKinds.entries()) {
    const section = sections[index] ?? ''
    expect(section).toContain(`id="${type}"`)
    expect(section).toContain(`&quot;type&quot;: &quot;${type}&quot;`)
    expect(section).toMatch(/<p>[A-Z].{15,}\.<\/p>/)
  }
  expect(sections[publicEventKinds.indexOf('reservation.ramped_out')]).toContain(
    '&quot;status&quot;: &quot;ramped_out&quot;',
  )
  expect(body).toContain('webhook.test')
})

test('a guide shows the program that it explains', async ({ page }) => {
  const { body } = await page('/docs/guides/an-app-from-nothing')
  expect(body).toContain('href="#program"')
  expect(body).toMatch(/id="program".*import \{ Webhook \} from/s)
  expect(body).not.toContain('href="../')
})

describe('the search of the reference', () => {
  test('finds operations by path and words, and error codes', async ({ page }) => {
    const found = async (q: string) => (await page(`/docs/find?q=${encodeURIComponent(q)}`)).body
    expect(await found('POST /reservations/check')).toContain('href="/docs/reservations#checkReservation"')
    expect(await found('resource_cl')).toContain('href="/docs/errors#RESOURCE_CLASH"')
    expect(await found('idempotency')).toContain('href="/docs/guides/idempotency"')
    expect(await found('xylophone quartz')).toContain('Nothing for')
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

  test('begins with the title that was typed, and says how many there are when it does not show all', async ({
    page,
  }) => {
    const found = async (q: string) => (await page(`/docs/find?q=${encodeURIComponent(q)}`)).body
    expect(/<li class="card"><a href="([^"]+)"/.exec(await found('Sign in'))?.[1]).toBe(
      '/docs/authentication-and-accounts#signIn',
    )
    expect(await found('hobbsTimeIn')).toMatch(/>\d+ found for “hobbsTimeIn”/)
    expect(await found('cursor')).toMatch(/>The first 40 of (?!40\b)\d+ for “cursor”/)
  })

  test.for([
    ['log in', '/docs/authentication-and-accounts#signIn'],
    ['create school', '/docs/organizations#createOrganization'],
    ['add an airplane', '/docs/resources#createResource'],
    ['hourly rates', '/docs/resources#createResource'],
    ['checkout', '/docs/close-out#rampOut'],
    ['double booking', '/docs/errors#PERSON_CLASH'],
    ['pagination', '/docs/guides/paging#by-cursor'],
    ['subscribe', '/docs/webhooks#createWebhook'],
    ['calendar feed', '/docs/calendar#createCalendarAddress'],
    ['sandbox', '/docs/guides/an-app-from-nothing#the-stand-ins-of-npm-start'],
    ['private network', '/docs/guides/webhooks#which-addresses'],
    ['invoice.paid', '/docs/events#invoice.paid'],
    ['unauthorized', '/docs/guides/errors#by-status'],
  ] as const)('finds for %s what the interface calls by another word', async ([query, href], { page }) => {
    const { body } = await page(`/docs/find?q=${encodeURIComponent(query)}`)
    const first = [...body.matchAll(/<li class="card"><a href="([^"]+)"/g)].map(([, at]) => at).slice(0, 6)
    expect(first).toContain(href)
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
          expect(search(query).shown).toHaveLength(40)
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
