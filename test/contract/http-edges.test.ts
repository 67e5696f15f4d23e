import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, type Method, startTestApp, type TestApp } from '../support/app.ts'
import { buildMember, buildSchool } from '../support/builders.ts'
import { faultsOf } from './support/envelope.ts'

let api: TestApp
let token: string
beforeAll(async () => {
  api = await startTestApp()
  const { organizationId } = await buildSchool(api)
  token = (await buildMember(api, organizationId, ['owner', 'admin'])).token
  await api.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => api.close())

/** Calls as an admin; the answer must be within the envelope. */
async function answerOf(method: Method, url: string, options: CallOptions = {}) {
  const response = await api.call(method, url, { token, ...options })
  expect(faultsOf(response)).toEqual([])
  return response
}

function post(payload: string, type: string | undefined = 'application/json') {
  return answerOf('POST', '/groups', { body: payload, headers: type === undefined ? {} : { 'content-type': type } })
}

describe('an address', () => {
  test.each([
    ['that nobody serves', 'GET', '/nothing/here'],
    ['with a slash at its end', 'GET', '/auth/session/'],
    ['with two slashes', 'GET', '//locations'],
    ['in capitals', 'GET', '/LOCATIONS'],
    ['asked for by a method that it does not have', 'DELETE', '/locations'],
    ['longer than any of ours', 'GET', `/locations/${'1'.repeat(400)}`],
  ] as const)('%s is 404', async (_, method, url) => {
    expect((await answerOf(method, url)).statusCode).toBe(404)
  })

  test('that does not decode is 400', async () => {
    expect((await answerOf('GET', '/locations/%zz')).statusCode).toBe(400)
  })
})

describe('a body', () => {
  test.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'that claims to be %s is 415',
    async (type) => {
      expect((await post('{"name":"Evenings"}', type)).statusCode).toBe(415)
    },
  )

  test.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON'])(
    'that claims to be %s is read',
    async (type) => {
      expect((await post(JSON.stringify({ name: `Group of ${type}` }), type)).statusCode).toBe(201)
    },
  )

  test.each(['{', '{"name":}', "{'name':'x'}", '{"name":"x"}}', '{"name":"\u0001"}', 'NaN'])(
    'that is broken JSON, such as %j, is 400',
    async (body) => {
      expect((await post(body)).statusCode).toBe(400)
    },
  )

  test('that tries for the prototype is 400', async () => {
    const tries = ['{"__proto__":{}}', '{"name":"x","a":{"__proto__":1}}', '{"constructor":{"prototype":{}}}']
    for (const body of tries) expect((await post(body)).statusCode).toBe(400)
  })

  test('nested 64 levels deep is read, 65 levels are refused', async () => {
    const nested = (levels: number) => `{"name":"Nested","a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect((await post(nested(64))).statusCode).toBe(201)
    expect((await post(nested(65))).statusCode).toBe(400)
  })

  test('of a megabyte is read, one byte more is 413', async () => {
    const sized = (bytes: number) => {
      const [head, tail] = ['{"name":"Large","a":"', '"}']
      return head + 'x'.repeat(bytes - head.length - tail.length) + tail
    }
    expect((await post(sized(1024 * 1024))).statusCode).toBe(201)
    expect((await post(sized(1024 * 1024 + 1))).statusCode).toBe(413)
  })

  test('is not looked at before the caller is known', async () => {
    const response = await api.call('POST', '/groups', { body: '{', headers: { 'content-type': 'application/json' } })
    expect(response.statusCode).toBe(401)
  })

  test('that is missing where one is needed is 400, and the message says so', async () => {
    const response = await answerOf('POST', '/groups')
    expect(response.statusCode).toBe(400)
    expect(response.json().message).toMatch(/^body: /)
  })
})

describe('what is no HTTP', () => {
  test.each([
    ['an unknown method', 'FLY /locations HTTP/1.1\r\nhost: x\r\n\r\n', '400'],
    ['no request line', '\u0000\u0001\u0002\r\n\r\n', '400'],
    ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, '431'],
  ])('%s is refused in the envelope', async (_, text, status) => {
    const answer = await raw(text)
    expect(answer.split(' ')[1]).toBe(status)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual({ message: expect.any(String) })
  })
})

test('every response may be read by a browser of any origin, and none is guessed at', async () => {
  const response = await answerOf('GET', '/locations', { headers: { origin: 'https://app.example' } })
  expect(response.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
  })
  expect(response.headers['access-control-allow-credentials']).toBeUndefined()
})

/** Writes text to the API's port and reads what comes back until the connection ends. */
async function raw(text: string): Promise<string> {
  const { port } = api.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(text)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
