import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../local/servers/ports.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { bookingBody, seats } from '../support/booking.ts'
import { buildSchool } from '../support/builders.ts'
import { TEMPLATE, withDatabase } from '../support/global-setup.ts'
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres.ts'
import { startTestWorkers } from '../support/workers.ts'

/** Fewer than a process opens, so that each transaction gets another's connection. */
const CONNECTIONS = 2
const LIMITS = ['statement_timeout', 'idle_in_transaction_session_timeout']

let postgres: OwnPostgres
let pooler: Pooler
beforeAll(async () => {
  postgres = await startOwnPostgres()
  pooler = await startPooler(postgres.url)
})
afterAll(async () => {
  await pooler?.stop()
  await postgres?.stop()
})

const env = (prepare: string) => ({ DATABASE_PREPARE: prepare, QUEUE_DATABASE_URL: postgres.url })
const start = (prepare: string) => startTestApp({ databaseUrl: pooler.url, env: env(prepare) })

describe('behind a PgBouncer that hands a connection on after each transaction', () => {
  test('a process that would prepare statements ends at its start with a line that says what to set', async () => {
    await expect(start('on')).rejects.toThrow(/^DATABASE_URL: a pooler answers there \(.*\): set DATABASE_PREPARE=off$/)
  })

  test('a process whose role has no time limit ends at its start with a line that says what to set', async () => {
    await expect(start('off')).rejects.toThrow(/^DATABASE_PREPARE: off needs a time limit of the role: alter role/)
  })

  test('API and workers do their work, many requests at once', async () => {
    await limitStatements()
    const api = await start('off')
    const workers = await startTestWorkers(api)
    try {
      const school = await buildSchool(api)
      const days = Array.from({ length: 20 }, (_, day) => `2026-12-${String(day + 1).padStart(2, '0')}`)
      const booked = await Promise.all(
        days.map((day) =>
          api.as(school.dispatcher).post(
            '/reservations',
            bookingBody(school, 'dual', {
              start: `${day}T10:00:00Z`,
              end: `${day}T12:00:00Z`,
              personnel: seats({ instructors: [school.instructor], students: [school.student] }),
            }),
          ),
        ),
      )
      expect(booked.map(({ statusCode }) => statusCode)).toEqual(days.map(() => 201))
      const window = 'startDate=2026-12-01T00:00:00Z&endDate=2026-12-31T00:00:00Z'
      const paths = [
        ...[`/reservations?${window}`, `/reservations?${window}&q=booking`, `/reservations?${window}&sort=title`],
        ...[`/reservations?${window}&sort=personnel.students`, '/users', '/search?q=bookign', '/audit'],
        ...[`/reports/utilization?${window}`, '/reports/receivables?format=csv', '/notifications'],
      ]
      const asked = await Promise.all(
        [...paths, ...paths, ...paths].map(async (path) => [path, (await ask(api, school.admin, path)).statusCode]),
      )
      expect(asked.filter(([, status]) => status !== 200 && status !== 429)).toEqual([])
      await workers.settled()
      const { rows } = await api.core.database.pool.query(
        'select count(*)::int as told from notification where membership_id = $1',
        [school.student.orgUserId],
      )
      expect(rows).toEqual([{ told: 20 }])
    } finally {
      await workers.stop()
      await api.close()
    }
  })
})

const ask = (api: TestApp, who: { token: string }, path: string) => api.as(who).get(path)

/** The role's limits in place of the connection's. The pooler opens its connections anew. */
async function limitStatements(): Promise<void> {
  const client = new pg.Client(withDatabase(postgres.adminUrl, TEMPLATE))
  await client.connect()
  const role = pg.escapeIdentifier(decodeURIComponent(new URL(postgres.url).username))
  for (const limit of LIMITS) await client.query(`alter role ${role} set ${limit} = '15s'`)
  await client.end()
  await pooler.reconnect()
}

interface Pooler {
  url: string
  reconnect(): Promise<void>
  stop(): Promise<void>
}

/** Starts PgBouncer as Debian has it, in front of a database. It refuses to run as root. */
async function startPooler(databaseUrl: string): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const folder = await mkdtemp(join(tmpdir(), 'flightline-pooler-'))
  await chmod(folder, 0o755)
  const listen = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  const users = join(folder, 'users.txt')
  await writeFile(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  await writeFile(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
admin_users = ${decodeURIComponent(username)}
pool_mode = transaction
default_pool_size = ${CONNECTIONS}
`,
  )
  const asUser = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  const child = spawn('pgbouncer', [...asUser, file], { stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  await listening(child)
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(listen)
  return {
    url: url.href,
    async reconnect() {
      const admin = new pg.Client(withDatabase(url.href, 'pgbouncer'))
      await admin.connect()
      await admin.query('reconnect')
      await admin.end()
    },
    async stop() {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function listening(child: ChildProcess): Promise<void> {
  let said = ''
  for await (const chunk of child.stderr ?? []) {
    said += chunk
    if (/listening on/.test(said)) break
  }
  if (!/listening on/.test(said)) throw new Error(`pgbouncer ended at once: ${said}`)
  child.stderr?.resume()
}
