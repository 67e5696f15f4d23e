import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookCaller } from '../../src/shared/platform/adapters/webhooks/https-caller.ts'
import { readAllowedNetworks } from '../../src/shared/platform/config/allowed-networks.ts'
import { createTestAuthority } from '../support/test-authority.ts'
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts'

const authority = createTestAuthority()
let receiver: WebhookReceiver
let canary: WebhookReceiver
let names: Record<string, string[] | (() => string[])> = {}

beforeAll(async () => {
  receiver = await startWebhookReceiver(authority.issue('hooks.example'))
  canary = await startWebhookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await canary.close()
})
beforeEach(() => {
  names = { 'hooks.example': ['127.0.0.1'] }
  receiver.received.length = 0
  receiver.answer((response) => response.writeHead(204).end())
})

function caller(options: { ca?: string; timeoutMs?: number } = {}) {
  return createWebhookCaller({
    allowed: readAllowedNetworks(`127.0.0.1/32:${receiver.port}`),
    own: { ports: new Set(), places: [], publicHost: 'school.example' },
    resolve: async (name) => {
      const found = names[name]
      if (!found) throw new Error('no such name')
      return typeof found === 'function' ? found() : found
    },
    ca: authority.ca,
    ...options,
  })
}

const url = () => `https://hooks.example:${receiver.port}/in?key=1`
const request = (to = url()) => ({
  url: to,
  headers: { 'content-type': 'application/json', 'x-a': 'b' },
  body: '{"ä":1}',
})

describe('a webhook that is sent', () => {
  test('reaches the checked address over https, with the name in Host and the body as given', async () => {
    const answer = await caller().post(request())
    expect(answer).toMatchObject({ error: null, status: 204 })
    expect(receiver.received).toMatchObject([
      {
        path: '/in?key=1',
        body: '{"ä":1}',
        headers: { host: `hooks.example:${receiver.port}`, 'x-a': 'b', 'content-length': '8' },
      },
    ])
  })

  test('does not reach a receiver whose certificate nobody vouches for, or is another name’s', async () => {
    expect(await caller({ ca: createTestAuthority().ca }).post(request())).toMatchObject({ error: 'tls', status: null })
    names['other.example'] = ['127.0.0.1']
    const other = request(`https://other.example:${receiver.port}/`)
    expect(await caller().post(other)).toMatchObject({ error: 'tls' })
    expect(receiver.received).toEqual([])
  })

  test('goes nowhere when the name has another address than when it was saved', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']]
    names['moving.example'] = () => answers.shift() ?? []
    const to = `https://moving.example:${canary.port}/`
    expect(await caller().problemOf(to)).toBeNull()
    expect(await caller().post(request(to))).toMatchObject({ error: 'refused_address', status: null, body: null })
    expect(canary.connections()).toBe(0)
  })

  test('asks for its name once, and connects to that answer whatever the next one would be', async () => {
    const answers = [['127.0.0.1']]
    names['hooks.example'] = () => answers.shift() ?? ['10.9.9.9']
    expect(await caller().post(request())).toMatchObject({ error: null })
    expect(answers).toEqual([])
  })

  test('follows no redirect', async () => {
    receiver.answer((response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${canary.port}/` }).end('moved'),
    )
    expect(await caller().post(request())).toMatchObject({ error: 'status', status: 307 })
    expect(canary.connections()).toBe(0)
  })

  test('says that a name has no address', async () => {
    expect(await caller().post(request('https://nowhere.example/'))).toMatchObject({ error: 'dns' })
    names['empty.example'] = []
    expect(await caller().post(request('https://empty.example/'))).toMatchObject({ error: 'dns' })
    expect(await caller().problemOf('https://empty.example/')).toBe('must name a host that DNS knows')
  })

  test('fails at a receiver that cuts the connection, answers nothing in time, or answers too much', async () => {
    receiver.answer((response) => response.destroy())
    expect(await caller().post(request())).toMatchObject({ error: 'connect', status: null })
    receiver.answer(() => undefined)
    expect(await caller({ timeoutMs: 200 }).post(request())).toMatchObject({ error: 'timeout', status: null })
    receiver.answer((response) => response.writeHead(200).write('begun'))
    expect(await caller({ timeoutMs: 200 }).post(request())).toMatchObject({ error: 'timeout', status: null })
    receiver.answer((response) => response.end(Buffer.alloc(65_537, 'a')))
    expect(await caller().post(request())).toMatchObject({ error: 'too_large', status: 200 })
    receiver.answer((response) => response.end(Buffer.alloc(65_536, 'a')))
    expect(await caller().post(request())).toMatchObject({ error: null, status: 200 })
  })

  test('brings the retry time of the answer, and none of its text from a private network', async () => {
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '120' }).end('secrets of the intranet'))
    expect(await caller().post(request())).toEqual({
      error: 'status',
      status: 429,
      latencyMs: expect.any(Number),
      body: null,
      retryAfterSeconds: 120,
    })
  })
})
