import { describe, expect } from 'vitest'
import { sharedSchoolTest } from '../support/fixtures.ts'
import { operationsOf, readDocument } from './support/document.ts'

const test = sharedSchoolTest()

describe('an answer', () => {
  test.for([
    ['with a token', 'POST', '/auth', 400],
    ['without any', 'GET', '/health', 200],
    ['that refuses', 'GET', '/groups/999', 404],
    ['of an address that nobody serves', 'GET', '/nothing', 404],
    ['of an address that does not decode', 'GET', '/%zz', 400],
    ['of the page to try requests', 'GET', '/docs/try', 200],
  ] as const)('%s is kept by no cache', async ([_, method, url, status], { api, school }) => {
    const response = await api.call(method, url, { token: school.owner.token })
    expect([response.statusCode, response.headers['cache-control']]).toEqual([status, 'no-store'])
  })

  test('with personal data is kept by its reader alone, who asks each time', async ({ api, school }) => {
    const response = await api.as(school.owner).get('/orgUsers')
    expect(response.headers).toMatchObject({
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{27}"$/),
      vary: expect.stringContaining('authorization'),
    })
  })

  test.for(['/docs', '/openapi.json'])(
    'that is the same for all is asked for anew each time: %s',
    async (url, { api }) => {
      const { headers } = await api.call('GET', url)
      expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', etag: expect.any(String) })
    },
  )

  test('with links to files is never kept: every read that answers them says so', async ({ api }) => {
    const document = await readDocument(api)
    const written = Object.entries(document.components.schemas).map(([name, schema]) => [name, JSON.stringify(schema)])
    const linked = (text: string, seen: string[] = []): boolean =>
      text.includes('A link to the file, valid for 15 minutes') ||
      written.some(([name = '', schema = '']) => {
        const isNew = !seen.includes(name) && text.includes(`"#/components/schemas/${name}"`)
        return isNew && linked(schema, [...seen, name])
      })
    const reads = operationsOf(document).filter(
      ({ method, responses }) =>
        method === 'GET' && linked(JSON.stringify(responses['200']?.content?.['application/json']?.schema ?? {})),
    )
    expect(reads.map(({ name }) => name).sort()).toEqual([
      'GET /documents',
      'GET /documents/{id}',
      'GET /maintenance/reminders/{id}/history',
      'GET /maintenance/squawks/{id}',
      'GET /resources/{id}/files',
      'GET /resources/{id}/files/{fileId}',
    ])
    expect(reads.filter(({ responses }) => responses['304'])).toEqual([])
  })

  test('that is a stream of events has no ETag, and its operation names none', async ({ api }) => {
    const streams = operationsOf(await readDocument(api)).filter(
      ({ responses }) => responses['200']?.content?.['text/event-stream'],
    )
    expect(streams.map(({ name }) => name)).toEqual(['GET /operations/{id}/events'])
    expect(streams.filter(({ responses }) => responses['304'])).toEqual([])
  })

  test('of a file of the pages is kept by browsers alone', async ({ api }) => {
    const response = await api.call('GET', '/docs/try/static/swagger-ui.css')
    expect(response.headers['cache-control']).toBe('private, max-age=0')
  })
})

describe('the page to try requests', () => {
  test.for(['/docs/try', '/docs/try/static/swagger-ui-bundle.js', '/docs/try/static/index.html'])(
    'loads its own files and nothing else: %s',
    async (url, { api }) => {
      const { headers } = await api.call('GET', url)
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /)
      expect(headers['content-security-policy']).not.toMatch(/http|\*|script-src[^;]*unsafe/)
    },
  )
})
