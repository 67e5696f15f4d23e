import { describe, expect } from 'vitest'
import { buildMember, buildSchool } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'

const test = apiTest().extend('token', { scope: 'file', auto: true }, async ({ api }) => {
  const { organizationId } = await buildSchool(api)
  return (await buildMember(api, organizationId, ['owner', 'admin'])).token
})

const KEYS = 80_000
const BYTES = 1_000_000
const field = (value: string) => `{"name":${value}}`
const times = (count: number, part: (i: number) => string) => Array.from({ length: count }, (_, i) => part(i)).join()

/** How often a body of this shape may cost what one text of the same bytes does. */
const RATIO = 4

describe('a body of a megabyte (docs/security.md)', { timeout: 60_000 }, () => {
  test.for([
    ['80,000 names that nobody knows', `{${times(KEYS, (i) => `"key${i}":1`)}}`],
    ['as many names in an object within it', field(`{${times(KEYS, (i) => `"key${i}":1`)}}`)],
    ['a name in each of many objects', field(`[${times(KEYS, (i) => `{"k${i}":1}`)}]`)],
    ['a wide list', field(`[${times(BYTES / 2 - 20, () => '1')}]`)],
    ['very many empty lists', field(`[${times(BYTES / 3 - 20, () => '[]')}]`)],
    ['many deep lists', field(`[${times(8_000, () => '['.repeat(60) + ']'.repeat(60))}]`)],
  ] as const)('with %s costs about as much as one text', async ([, body], { api, token }) => {
    const send = async (payload: string) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }
      const from = process.threadCpuUsage()
      const { statusCode } = await api.call('POST', '/groups', { token, body: payload, headers })
      const { user, system } = process.threadCpuUsage(from)
      return { statusCode, cost: user + system }
    }
    const least = async (payload: string) => {
      const costs: number[] = []
      for (let run = 0; run < 5; run++) costs.push((await send(payload)).cost)
      return Math.min(...costs)
    }
    const text = field(JSON.stringify('x'.repeat(Buffer.byteLength(body) - field('""').length)))
    expect((await send(text)).statusCode).toBe(400)
    expect((await send(body)).statusCode).toBe(400)
    const most = RATIO * (await least(text))
    expect(await least(body)).toBeLessThan(most)
  })
})
