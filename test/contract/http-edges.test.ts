import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, vi } from 'vitest'
import type { CallOptions, Method } from '../support/app.ts'
import { buildMember, buildSchool } from '../support/builders.ts'
import { apiTest } from '../support/fixtures.ts'
import { faultsOf } from './support/envelope.ts'

const test = apiTest()
  .extend('token', { scope: 'file', auto: true }, async ({ api }) => {
    const { organizationId } = await buildSchool(api)
    const token = (await buildMember(api, organizationId, ['owner', 'admin'])).token
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    return token
  })

  /** Calls as an admin; the answer must be within the envelope. */
  .extend('answerOf', ({ api, token }) => async (method: Method, url: string, options: CallOptions = {}) => {
    const response = await api.call(method, url, { token, ...options })
    expect(faultsOf(response)).toEqual([])
    return response
  })

  .extend(
    'post',
    ({ answerOf }) =>
      (payload: string, type: string | undefined = 'application/json') =>
        answerOf('POST', '/groups', { body: payload, headers: type === undefined ? {} : { 'content-type': type } }),
  )

  .extend(
    'openConnections',
    ({ api }) =>
      (): Promise<number> =>
        new Promise((resolve) => {
          api.app.server.getConnections((_error, count) => resolve(count))
        }),
  )

  /** Writes text to the API's port, a byte a character, and reads what comes back until the connection ends. */
  .extend('raw', ({ api }) => async (text: string): Promise<string> => {
    const { port } = api.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.write(text, 'latin1')
    socket.end()
    await once(socket, 'close')
    return Buffer.concat(chunks).toString()
  })

describe('an address', () => {
  test.for([
    ['that nobody serves', 'GET', '/nothing/here'],
    ['with a slash at its end', 'GET', '/auth/session/'],
    ['with two slashes', 'GET', '//locations'],
    ['in capitals', 'GET', '/LOCATIONS'],
    ['longer than any of ours', 'GET', `/locations/${'1'.repeat(400)}`],
  ] as const)('%s is 404', async ([_, method, url], { answerOf }) => {
    expect((await answerOf(method, url)).statusCode).toBe(404)
  })

  test.for([
    ['with letters that are encoded', '/loc%61tions', 200],
    ['with a control character in an id', '/locations/1%00', 400],
    ['with a sign that shows nothing in an id', '/locations/%E2%80%8B1', 400],
    ['with a slash in an id', '/locations/1%2f2', 400],
    ['with parameters of a part', '/locations/1;x=1', 400],
    ['with a number in another notation', '/locations/0x1', 400],
    ['with a fragment', '/locations#x', 200],
  ] as const)('%s is taken as what it says', async ([, url, status], { answerOf }) => {
    expect((await answerOf('GET', url)).statusCode).toBe(status)
  })

  test.for([
    ['dots', '/locations/..', 400],
    ['encoded dots', '/locations/%2e%2e/groups', 404],
  ] as const)('with %s as an id is taken as what it says', async ([, path, status], { api, token }) => {
    const { port } = api.app.server.address() as AddressInfo
    // Other clients resolve the dots before they send the address.
    const sent = get({ port, host: '127.0.0.1', path, headers: { authorization: `Bearer ${token}` }, agent: false })
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    answer.resume()
    expect(answer.statusCode).toBe(status)
  })

  test.for(['/locations/%zz', '/locations/%ff', '/locations?q=%zz', '/locations?q=%ff', '/locations?q=%ed%a0%80'])(
    'that does not decode, such as %s, is 400',
    async (url, { answerOf }) => {
      const response = await answerOf('GET', url)
      expect([response.statusCode, response.json()]).toEqual([400, { message: 'The address is malformed.' }])
    },
  )
})

describe('a body', () => {
  test.for(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'that claims to be %s is 415',
    async (type, { post }) => {
      expect((await post('{"name":"Evenings"}', type)).statusCode).toBe(415)
    },
  )

  test.for(['application/x-www-form-urlencoded', 'text/plain', 'json'])(
    'that is empty, arrives in parts and claims to be %s counts as none',
    async (type, { post, answerOf }) => {
      const headers = { 'content-type': type, 'transfer-encoding': 'chunked' }
      expect((await answerOf('POST', '/groups', { body: '', headers })).json().message).toBe(
        'body: is required; name: is required',
      )
      expect((await post('{"name":"Evenings"}', type)).statusCode).toBe(415)
    },
  )

  test.for(['GET', 'DELETE'] as const)(
    'of a %s may be empty in any type, and one that is not needed is left',
    async (method, { api, token, answerOf }) => {
      const url = method === 'DELETE' ? '/groups/2000000000' : '/groups'
      const status = method === 'DELETE' ? 404 : 200
      for (const type of [undefined, '', ';', '*/*', 'x', 'text/plain', 'multipart/form-data', 'application/json']) {
        const headers = { 'transfer-encoding': 'chunked', ...(type !== undefined && { 'content-type': type }) }
        expect((await answerOf(method, url, { body: '', headers })).statusCode, `${type}`).toBe(status)
        const asked = { ...headers, authorization: `Bearer ${token}` }
        expect((await api.app.inject({ method: 'HEAD', url: '/groups', headers: asked })).statusCode).toBe(200)
      }
      const headers = { 'content-type': 'application/json' }
      expect((await answerOf(method, url, { body: '{}', headers })).statusCode).toBe(status)
    },
  )

  test('of a caller without a token is at most 64 KiB', async ({ api, post }) => {
    const body = { email: 'kay@example.com', password: 'x'.repeat(64 * 1024) }
    const answer = await api.call('POST', '/auth', { body })
    expect([answer.statusCode, answer.json()]).toEqual([413, { message: 'The request is larger than 64 KiB.' }])
    expect((await post(JSON.stringify({ name: 'x'.repeat(64 * 1024) }))).statusCode).toBe(400)
  })

  test.for(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'that claims to be %s is read',
    async (type, { post }) => {
      expect((await post(JSON.stringify({ name: `Group of ${type}` }), type)).statusCode).toBe(201)
    },
  )

  test.for(['{', '{"name":}', "{'name':'x'}", '{"name":"x"}}', '{"name":"\u0001"}', 'NaN'])(
    'that is broken JSON, such as %j, is 400',
    async (body, { post }) => {
      expect((await post(body)).statusCode).toBe(400)
    },
  )

  test.for([
    ['another character set', { 'content-type': 'application/json; charset=utf-16' }],
    ['a compression', { 'content-type': 'application/json', 'content-encoding': 'gzip' }],
  ] as const)('that claims %s is 415', async ([_, headers], { answerOf }) => {
    expect((await answerOf('POST', '/groups', { body: '{"name":"Coded"}', headers })).statusCode).toBe(415)
  })

  test.for([
    ['a byte of no character', [0xff]],
    ['half a character', [0xc3]],
    ['half of a pair', [0xed, 0xa0, 0x80]],
    ['an overlong form', [0xc0, 0xaf]],
  ] as const)('with %s is 400 rather than stored as something else', async ([_, bytes], { answerOf }) => {
    const body = Buffer.concat([Buffer.from('{"name":"A'), Buffer.from(bytes), Buffer.from('"}')])
    const response = await answerOf('POST', '/groups', { body, headers: { 'content-type': 'application/json' } })
    expect([response.statusCode, response.json()]).toEqual([400, { message: 'body: must be UTF-8 text' }])
  })

  test('that tries for the prototype is 400', async ({ post }) => {
    const tries = ['{"__proto__":{}}', '{"name":"x","a":{"__proto__":1}}', '{"constructor":{"prototype":{}}}']
    for (const body of tries) expect((await post(body)).statusCode).toBe(400)
  })

  test('nested 64 levels deep is read, 65 levels are refused', async ({ post }) => {
    const nested = (levels: number) => `{"name":"Nested","a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect((await post(nested(64))).statusCode).toBe(201)
    expect((await post(nested(65))).statusCode).toBe(400)
  })

  test('with 2,000 names of fields is read, one more is 400', async ({ post }) => {
    const named = (count: number) =>
      JSON.stringify({
        name: 'Named',
        ...Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`k${i}`, 1])),
      })
    expect((await post(named(2_000))).statusCode).toBe(201)
    const refused = await post(named(2_001))
    const message = 'The body has more than 100000 values, or more than 2000 distinct field names.'
    expect([refused.statusCode, refused.json()]).toEqual([400, { message }])
  })

  test('of a megabyte is read, one byte more is 413', async ({ post }) => {
    const sized = (bytes: number) => {
      const [head, tail] = ['{"name":"Large","a":"', '"}']
      return head + 'x'.repeat(bytes - head.length - tail.length) + tail
    }
    expect((await post(sized(1024 * 1024))).statusCode).toBe(201)
    expect((await post(sized(1024 * 1024 + 1))).statusCode).toBe(413)
  })

  test('is not looked at before the caller is known', async ({ api }) => {
    const response = await api.call('POST', '/groups', { body: '{', headers: { 'content-type': 'application/json' } })
    expect(response.statusCode).toBe(401)
  })

  test('that is missing where one is needed is 400, and the message says so', async ({ answerOf }) => {
    const response = await answerOf('POST', '/groups')
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(/^body: /)
  })
})

describe('a refusal', () => {
  test.for([
    ['of a link without its signature', 'GET', '/uploads/1/x.pdf', {}],
    ['of a link with another name', 'GET', `/uploads/1/${'x'.repeat(90)}?fileName=x&expires=1&signature=x`, {}],
    ['of a form that is none', 'POST', '/uploads', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
    ['of an event without a signature', 'POST', '/webhooks/stripe', { body: {} }],
    ['of an event that is no JSON', 'POST', '/webhooks/stripe', { headers: { 'content-type': 'text/xml' }, body: 'x' }],
    ['of a query that does not fit', 'GET', '/locations?limit=x', {}],
    ['of an id that is none', 'GET', '/locations/x', {}],
    ['of a file of the reference', 'GET', '/docs/try/static/nothing.js', {}],
  ] as const)('%s carries no code of a framework', async ([_, method, url, options], { answerOf }) => {
    const response = await answerOf(method, url, options)
    expect(response.statusCode).toBeGreaterThanOrEqual(400)
    expect(response.json()).not.toHaveProperty('code')
  })
})

const locations = (lines: string, method = 'GET') => `${method} /locations HTTP/1.1\r\n${lines}\r\n`
const ask = 'origin: https://app.example\r\naccess-control-request-method: GET\r\n'

describe('what is no HTTP, or an odd kind of it', () => {
  test.for([
    ['an unknown method', 'FLY /locations HTTP/1.1\r\nhost: x\r\n\r\n', '400'],
    ['no request line', '\u0000\u0001\u0002\r\n\r\n', '400'],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, '431'],
    ['an address without end', `GET /locations?q=${'y'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, '431'],
    ['bytes in an address', locations('host: x\r\n', 'GET /\u00ff'), '400'],
    ['another version of it', 'GET /locations HTTP/1.2\r\nhost: x\r\n\r\n', '400'],
    ['an expectation', locations('host: x\r\nexpect: tea\r\n'), '417'],
    ['no host', locations(''), '400'],
    ['two hosts', locations('host: x\r\nhost: y\r\n'), '400'],
    ['two lengths', locations('host: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n', 'POST'), '400'],
    ['a tunnel', 'CONNECT x:1 HTTP/1.1\r\nhost: x\r\n\r\n', '404'],
    ['an echo', 'TRACE /nothing HTTP/1.1\r\nhost: x\r\n\r\n', '404'],
    ['a question for an unknown address', 'OPTIONS /nothing HTTP/1.1\r\nhost: x\r\n\r\n', '404'],
    ["a question for the operators' pages", `OPTIONS /metrics HTTP/1.1\r\nhost: x\r\n${ask}\r\n`, '404'],
  ] as const)('%s is refused in the envelope', async ([_, text, status], { raw }) => {
    const [head = '', body = ''] = (await raw(text)).split('\r\n\r\n')
    expect(head.split(' ')[1]).toBe(status)
    expect(head).toMatch(/x-request-id: [\w-]{36}/)
    expect(JSON.parse(body)).toEqual({ message: expect.any(String) })
  })

  test('an HTTP/1.0 client needs no host, and gets its connection closed', async ({ raw }) => {
    const answer = await raw('GET /locations HTTP/1.0\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toMatch(/connection: close/i)
  })

  test('what the service can do at all is told', async ({ raw }) => {
    const answer = await raw('OPTIONS * HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 204 /)
    expect(answer).toContain('allow: GET, POST, PATCH, PUT, DELETE, HEAD, OPTIONS')
  })

  test('a client that does not let go of its end is cut off', async ({ api, openConnections }) => {
    const { port } = api.app.server.address() as AddressInfo
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.write('FLY\r\n\r\n')
    socket.resume().on('error', () => {})
    await once(socket, 'end')
    await vi.waitUntil(async () => (await openConnections()) === 0, { timeout: 5_000 })
    socket.destroy()
  })
})

test('every response may be read by a browser of any origin, and none is guessed at', async ({ answerOf }) => {
  const response = await answerOf('GET', '/locations', { headers: { origin: 'https://app.example' } })
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
  })
  expect(response.headers['access-control-allow-credentials']).toBeUndefined()
})
