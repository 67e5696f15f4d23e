import { describe, expect } from 'vitest'
import { createAdmission } from '../../src/api/http/admission.ts'
import { schoolTest } from '../support/fixtures.ts'

/** 20 requests for each connection. */
const MOST = 40

const lines: string[] = []

const test = schoolTest({
  env: { DATABASE_POOL_SIZE: '2', LOG_LEVEL: 'warn' },
  logTo: { write: (line: string) => void lines.push(line) },
})

describe('more requests than an API can do', () => {
  test('are refused one after the other, and done when there is room by then', async () => {
    const admission = createAdmission(1)
    const release: (() => void)[] = []
    const busy = Array.from({ length: 20 }, () =>
      admission.enter(() => new Promise<void>((done) => release.push(done))),
    )
    const from = performance.now()
    const refusedAt = await Promise.all(
      Array.from({ length: 200 }, () => admission.enter(async () => {}).catch(() => performance.now() - from)),
    )
    // The first waits 100 ms, and each 1 ms longer than the one before it; a timer may be a millisecond early.
    expect(Math.max(...refusedAt.map(Number))).toBeGreaterThan(290)
    const last = admission.enter(async () => 'done')
    for (const done of release) done()
    expect(await last).toBe('done')
    await Promise.all(busy)
  })

  test('that write one record wait in their order without a connection, beside three of them', async () => {
    const admission = createAdmission(10)
    const release: (() => void)[] = []
    const begun: string[] = []
    const write = (record: string, name: string) =>
      admission.inTurn(record, async () => {
        begun.push(name)
        await new Promise<void>((done) => release.push(done))
      })
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => write('1 /invoices/7', name))
    all.push(write('1 /invoices/8', 'other'))
    await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'other'])
    release.shift()!()
    await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'other', 'd'])
    for (const done of release.splice(0)) done()
    await expect.poll(() => begun.at(-1)).toBe('e')
    for (const done of release) done()
    await Promise.all(all)
  })

  test('are refused early with Retry-After, while the API stays ready and does the others', async ({ api, school }) => {
    const { pool } = api.core.database
    const held = await Promise.all([pool.connect(), pool.connect()])
    const refused: unknown[] = []
    const sent = Array.from({ length: MOST + 10 }, async () => {
      const answer = await api.as(school.admin).get('/locations')
      if (answer.statusCode === 503) refused.push([answer.headers['retry-after'], answer.json().message])
      return answer.statusCode
    })
    // The others still wait for a connection.
    await expect.poll(() => refused.length).toBe(10)
    expect(refused[0]).toEqual(['1', 'The service is busy. Please try again in a moment.'])
    expect((await api.call('GET', '/health/ready')).statusCode).toBe(200)
    expect((await api.call('GET', '/health/live')).statusCode).toBe(200)
    for (const client of held) client.release()
    const statuses = await Promise.all(sent)
    expect(statuses.filter((status) => status === 200)).toHaveLength(MOST)
    expect((await api.as(school.admin).get('/locations')).statusCode).toBe(200)
    // One line for all of them, without a stack: a line each would take the time of the requests that are done.
    const said = lines.filter((line) => line.includes('The service is busy'))
    expect(said.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        msg: 'requests are 503',
        reason: 'The service is busy. Please try again in a moment.',
      }),
    ])
    expect(said.join('')).not.toContain('stack')
  })
})
