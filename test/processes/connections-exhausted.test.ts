import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openQueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startTestWorkers, type TestWorkers } from '../support/workers.ts'

const MOST = 30

describe('a PostgreSQL without a connection left', () => {
  let postgres: OwnPostgres
  let api: TestApp
  let school: School
  let workers: TestWorkers | undefined
  const taken: pg.Client[] = []
  beforeAll(async () => {
    postgres = await startOwnPostgres({ max_connections: String(MOST) })
    api = await startTestApp({ databaseUrl: postgres.url, env: { QUEUE_POOL_SIZE: '4' } })
    school = await buildSchool(api)
  }, 60_000)
  afterAll(async () => {
    await giveBack()
    await workers?.stop()
    await api.close()
    await postgres.stop()
  })

  /** Ends the connections of the API that wait for work, and takes all that there are. */
  async function takeAll(): Promise<void> {
    for (;;) {
      const client = new pg.Client(postgres.url)
      client.on('error', () => {})
      try {
        await client.connect()
        taken.push(client)
        await client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'flightline'",
        )
      } catch (error) {
        expect(error).toMatchObject({ code: '53300' })
        return
      }
    }
  }

  async function giveBack(): Promise<void> {
    for (const client of taken.splice(0)) await client.end()
  }

  const read = () => api.call('GET', '/locations', { token: school.admin.token })

  test('is a 503 in the envelope, with the time to try again, and is over as soon as there is one', async () => {
    await takeAll()
    const refused = await read()
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1'])
    expect(refused.json()).toEqual({ message: 'The service is not available right now. Please try again in a moment.' })
    await giveBack()
    expect((await read()).statusCode).toBe(200)
  })

  test('is waited for by a process that starts, which says so in one line and then works', async () => {
    await takeAll()
    const lines: string[] = []
    const opening = openQueueBackend({
      redisUrl: undefined,
      databaseUrl: postgres.url,
      onError: ({ message }) => lines.push(message),
    })
    await eventually(
      async () => lines.length,
      (count) => count > 0,
    )
    await giveBack()
    await (await opening).close()
    // The server has two sentences for it, of one SQLSTATE: the other is for those who may not take the superusers' last few.
    const refusal = /^PostgreSQL has no connection left, waiting for one: .*(too many clients|slots are reserved)/
    expect(lines).toEqual([expect.stringMatching(refusal)])
  })

  test('is rarer than it was: workers of all queues share 4 connections, and hear of their jobs on one more', async () => {
    workers = await startTestWorkers(api)
    const held = async () => {
      const { rows } = await api.core.database.pool.query<{ name: string; count: number }>(
        `select application_name as name, count(*)::int from pg_stat_activity
          where application_name like 'flightline%' group by 1`,
      )
      return new Map(rows.map(({ name, count }) => [name, count]))
    }
    const before = await held()
    expect(before.get('flightline-listener')).toBe(1)
    for (let n = 0; n < 60; n++)
      await api.core.queues.queue('upkeep').add('retention.purge-expired', {}, { jobId: randomUUID() })
    await eventually(
      () => api.core.queues.queue('upkeep').getJobCounts('waiting', 'active'),
      ({ waiting, active }) => waiting === 0 && active === 0,
    )
    const after = await held()
    expect(after.get('flightline-listener')).toBe(1)
    expect(after.get('flightline-queues')).toBeLessThanOrEqual(4 + 4)
    expect(workers.core.queues.connections()).toMatchObject({ queue: { limit: 4 }, listener: 1 })
    expect(api.core.queues.connections()).toMatchObject({ queue: { limit: 4 }, listener: 0 })
  })
})
