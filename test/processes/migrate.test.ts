import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { queueNames } from '../../src/shared/platform/contracts/define-job.ts'
import { lockMigrations } from '../../src/shared/platform/db/migration-lock.ts'
import { migrationNames } from '../../src/shared/platform/db/run-migrations.ts'
import { openQueueBackend } from '../../src/shared/platform/jobs/queue-backend.ts'
import { emptyDatabase } from '../support/database.ts'
import { asRole } from '../support/global-setup.ts'
import { runOne } from '../support/migrations-folder.ts'

let url: string
let client: pg.Client
beforeEach(async () => {
  url = await emptyDatabase()
  client = new pg.Client({ connectionString: url })
  await client.connect()
})
afterEach(() => client.end())

function startMigrate(...args: string[]): {
  child: ChildProcess
  said: () => string
  did: () => string
  ended: Promise<number | null>
} {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../bin/flightline.mjs'), 'migrate', ...args], {
    env: {
      DATABASE_URL: asRole(url, 'service'),
      MIGRATION_DATABASE_URL: url,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  let done = ''
  child.stderr?.on('data', (chunk) => {
    text += chunk
  })
  child.stdout?.on('data', (chunk) => {
    done += chunk
  })
  return {
    child,
    said: () => text,
    did: () => done,
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

describe('`npm run migrate`', () => {
  test('ends with code 0 in each of two processes that start together', async () => {
    const both = [startMigrate(), startMigrate()]
    expect(await Promise.all(both.map(({ ended }) => ended))).toEqual([0, 0])
    const { rows } = await client.query(
      'select count(*)::int as times from migration group by name having count(*) > 1',
    )
    expect(rows).toEqual([])
    expect((await client.query('select from bullmq.migration')).rowCount).toBeGreaterThan(0)
  })

  test('says what is pending and changes nothing with --status, then what it applied, then that nothing is left', async () => {
    const before = startMigrate('--status')
    expect(await before.ended).toBe(1)
    const pending = before.did().trim().split('\n')
    expect(pending[0]).toBe(`flightline: pending ${migrationNames[0]}`)
    expect(pending.at(-1)).toBe(
      `flightline: ${migrationNames.length} of ${migrationNames.length} migrations are pending`,
    )
    expect((await client.query("select to_regclass('migration') as it")).rows).toEqual([{ it: null }])
    const first = startMigrate()
    expect(await first.ended).toBe(0)
    const current = `the schema is that of this release, ${migrationNames.length} migrations, the last ${migrationNames.at(-1)}`
    expect(first.did()).toBe(
      [...migrationNames.map((name) => `applied ${name}`), `${migrationNames.length} migrations applied: ${current}`]
        .map((line) => `flightline: ${line}\n`)
        .join(''),
    )
    const second = startMigrate()
    expect([await second.ended, second.did()]).toEqual([0, `flightline: nothing to do: ${current}\n`])
    const after = startMigrate('--status')
    expect([await after.ended, after.did()]).toEqual([0, `flightline: ${current}\n`])
  }, 120_000)

  test('lets the service add many jobs at once to any queue, though it may create nothing', async () => {
    expect(await startMigrate().ended).toBe(0)
    const queues = await openQueueBackend({ databaseUrl: asRole(url, 'service'), onError: () => undefined })
    const jobs = Array.from({ length: 20 }, (_, index) => ({ name: 'test', data: {}, opts: { jobId: `job-${index}` } }))
    for (const name of queueNames) expect(await queues.queue(name).addBulk(jobs)).toHaveLength(20)
    await queues.close()
    const { rows } = await client.query(
      'select queue, count(*)::int as jobs from bullmq.job group by queue order by queue',
    )
    expect(rows).toEqual(queueNames.toSorted().map((queue) => ({ queue, jobs: 20 })))
  })

  test('waits for another migration as long as it takes, and says so', async () => {
    await lockMigrations(client, () => undefined)
    const waiting = startMigrate()
    await once(waiting.child.stderr!, 'data')
    expect(waiting.said()).toBe('flightline: another migration is running: waiting for its end\n')
    expect(waiting.child.exitCode).toBeNull()
    await client.query('select pg_advisory_unlock_all()')
    expect(await waiting.ended).toBe(0)
  })
})

describe('a migration', () => {
  test('is not ended by time limits that the database sets for everybody', async () => {
    const { rows } = await client.query<{ name: string }>('select current_database() as name')
    await client.query(`alter database ${rows[0]?.name} set statement_timeout = '100ms'`)
    await runOne(url, {
      transactional: true,
      statements: ['create table slow as select 1 as one from (select pg_sleep(0.4)) s'],
    })
    expect((await client.query('select from slow')).rowCount).toBe(1)
  })

  test('that cannot lock its table in a second steps aside for others, says so, and tries again', async () => {
    await client.query('create table plane (id integer)')
    const reader = new pg.Client({ connectionString: url })
    await reader.connect()
    await reader.query('begin; lock table plane in access share mode')
    const statements = ['alter table plane add column tail_number text']
    const running = runOne(url, { transactional: true, statements })
    await reader.query('select pg_sleep(0.3)')
    const before = performance.now()
    await client.query('select from plane')
    expect(performance.now() - before).toBeLessThan(1_500)
    await reader.query('select pg_sleep(1)')
    await reader.query('commit')
    await reader.end()
    expect(await running).toEqual(['Migration20990101000000_test: a table is in use: trying again every few seconds'])
    await client.query('select tail_number from plane')
  })

  test('that fails leaves nothing behind and is not noted as done', async () => {
    const statements = ['create table half (id integer)', 'select 1 / 0']
    await expect(runOne(url, { transactional: true, statements })).rejects.toThrow('division by zero')
    const { rows } = await client.query("select to_regclass('half') as half, count(*)::int as done from migration")
    expect(rows).toEqual([{ half: null, done: 0 }])
  })

  test('that builds an index concurrently builds it again when it was cut short', async () => {
    await client.query('create table plane (tail_number text)')
    await client.query("insert into plane values ('N1'), ('N1')")
    const index = 'index concurrently if not exists plane_tail on plane (tail_number)'
    const unique = { transactional: false, statements: [`create unique ${index}`] }
    await expect(runOne(url, unique)).rejects.toThrow('could not create unique index')
    await runOne(url, { transactional: false, statements: [`create ${index}`] })
    const { rows } = await client.query("select indisvalid from pg_index where indexrelid = 'plane_tail'::regclass")
    expect(rows).toEqual([{ indisvalid: true }])
  })
})
