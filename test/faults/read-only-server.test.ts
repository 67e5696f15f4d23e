import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { dropLostConnections, isAway } from '../../src/shared/platform/db/lost-connections.ts'
import { PrimaryClient } from '../../src/shared/platform/db/primary-client.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { eventually } from '../support/eventually.ts'
import { dualBody } from '../support/flights.ts'
import { startTestWorkers, type TestWorkers } from '../support/workers.ts'

describe('a server that becomes read-only', () => {
  const lines: string[] = []
  let api: TestApp
  let workers: TestWorkers
  let school: School
  beforeAll(async () => {
    api = await startTestApp({
      env: { LOG_LEVEL: 'error' },
      logTo: { write: (line: string) => void lines.push(line) },
      realTime: true,
    })
    workers = await startTestWorkers(api)
    school = await buildSchool(api)
    await workers.settled()
  })
  afterAll(async () => {
    await workers.stop()
    await api.close()
  })

  let slot = 0
  const book = () => {
    const start = Date.UTC(2027, 0, 1) + slot++ * 3_600_000
    const [from, to] = [start, start + 3_600_000].map((at) => new Date(at).toISOString())
    return api.call('POST', '/reservations', {
      token: school.dispatcher.token,
      body: dualBody(school, { start: from!, end: to! }),
    })
  }
  /** Makes the server read-only for new connections, or no longer, and ends those that there are. */
  const makeReadOnly = async (readOnly: 'on' | 'off') => {
    const name = new URL(api.config.DATABASE_URL ?? '').pathname.slice(1)
    const admin = new pg.Client({ connectionString: inject('postgresUrl') })
    await admin.connect()
    await admin.query(`alter database ${name} set default_transaction_read_only = ${readOnly}`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await admin.end()
  }

  test('is left by reads and writes alike, which are 503; queues and workers go on when it accepts writes again', async () => {
    await makeReadOnly('on')
    await eventually(
      async () => (await api.call('GET', '/health/ready')).statusCode,
      (status) => status === 503,
    )
    lines.length = 0
    const refused = [await book(), await api.call('GET', '/locations', { token: school.admin.token })]
    expect(refused.map(({ statusCode }) => statusCode)).toEqual([503, 503])
    expect(refused.map(({ headers }) => headers['retry-after'])).toEqual(['1', '1'])
    expect(lines.map((line) => JSON.parse(line).reason)).toContain(
      'the server is read-only: it is a standby, or an operator made it so (25006: default_transaction_read_only is on)',
    )

    await makeReadOnly('off')
    await eventually(
      async () => (await book()).statusCode,
      (status) => status === 201,
    )
    await workers.settled()
    const notified = await api.core.database.pool.query('select from notification where membership_id = $1', [
      school.student.orgUserId,
    ])
    expect(notified.rowCount).toBe(1)
  })
})

describe('a connection of a pool', () => {
  const open = async () => {
    const client = new PrimaryClient(inject('postgresUrl'))
    const errors: Error[] = []
    client.on('error', (error) => errors.push(error))
    await client.connect()
    return { client, errors }
  }

  test('breaks as soon as its server reports that it is read-only', async () => {
    const { client, errors } = await open()
    await client.query('set default_transaction_read_only = on')
    const refusal = await client.query('select 1').catch((error: Error) => error)
    expect([isAway(refusal), errors.map(isAway)]).toEqual([true, [true]])
  })

  test('is closed by the pool after a write that a read-only server refused, as behind a pooler', async () => {
    const pool = new pg.Pool({ connectionString: inject('postgresUrl'), max: 1 })
    dropLostConnections(pool, () => {})
    const id = async () => (await pool.query('select pg_backend_pid() as id')).rows[0].id
    const before = await id()
    const refusal = await pool.query('begin read only; create table t ()').catch((error: Error) => error)
    expect(isAway(refusal)).toBe(true)
    expect(await id()).not.toBe(before)
    await pool.end()
  })

  test('stays when only a transaction of its own is read-only', async () => {
    const { client, errors } = await open()
    await client.query('begin read only')
    await client.query('rollback')
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(errors).toEqual([])
    await client.end()
  })
})
