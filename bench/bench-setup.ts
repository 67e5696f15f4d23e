import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawBuilder } from 'kysely'
import pg from 'pg'
import { nodeSettings } from '../bin/node-settings.mjs'
import { startEmbeddedPostgres } from '../local/postgres/embedded-postgres.ts'
import { freePort } from '../local/servers/ports.ts'
import { serviceUrl } from '../local/start/own-database.ts'
import { migrate } from '../src/shared/composition/migrate.ts'
import { openDatabase } from '../src/shared/composition/tables.ts'
import { createAccessTokens, generateKeySet } from '../src/shared/platform/adapters/tokens/access-tokens.ts'
import { createRecordKeys } from '../src/shared/platform/adapters/tokens/record-keys.ts'
import type { Database } from '../src/shared/platform/db/database.ts'
import { systemClock } from '../src/shared/platform/kernel/clock.ts'
import type { SchoolPlace } from '../test/support/builders.ts'

/** The resources of a group of scenarios: a database, the environment of the service's processes, and where schools are built. */
export interface BenchSetup {
  databaseUrl: string
  database: Database
  /** Where schools are built: the same database. */
  place: SchoolPlace
  env: Record<string, string>
  /**
   * Starts a process: a command of the service (`api`, `worker`), or a script (a path with `/`). Returns its URL when
   * it has reported that it is ready.
   */
  serve(command: string, env?: Record<string, string>): Promise<string>
  /** Starts a process like `serve`. Returns its id too. */
  start(command: string, env?: Record<string, string>): Promise<{ url: string; pid: number }>
  /** Runs a statement as the owner of the tables, on a connection without time-outs: seeding may take minutes. */
  run<Row>(query: RawBuilder<Row>): Promise<Row[]>
  /** Registers work that runs before the processes and the database stop. */
  atEnd(work: () => Promise<unknown>): void
  close(): Promise<void>
}

/**
 * Starts a new PostgreSQL and returns a setup on it. PostgreSQL does not wait for the disk, so that the comparison
 * measures CPU work alone.
 */
export async function startBenchSetup(): Promise<BenchSetup> {
  const dataDir = await mkdtemp(join(tmpdir(), 'flightline-bench-'))
  await chmod(dataDir, 0o755)
  const server = await startEmbeddedPostgres({ dataDir, durable: false })
  const ownerUrl = server.url('postgres')
  const databaseUrl = serviceUrl(ownerUrl)
  await migrate({ ownerUrl, serviceUrl: databaseUrl, print: () => undefined })
  return benchSetupOn({ ownerUrl, databaseUrl }, async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
}

/** Returns whether `redis-server` is installed. The scenarios with queues in Redis need it. */
export const hasRedis = () => spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0

/** Returns a setup on a database that exists and is migrated. `close` calls `stop` as its last step. */
export async function benchSetupOn(
  { ownerUrl, databaseUrl }: { ownerUrl: string; databaseUrl: string },
  stop: () => Promise<void>,
): Promise<BenchSetup> {
  const keySet = await generateKeySet()
  const database = await openDatabase({ url: databaseUrl, poolSize: 10, recordKeys: createRecordKeys(keySet) })
  const tokens = await createAccessTokens(keySet)
  const children: ChildProcess[] = []
  const endings: (() => Promise<unknown>)[] = []
  const env = {
    DATABASE_URL: databaseUrl,
    AUTH_KEYS: JSON.stringify(keySet),
    RECORD_KEYS: JSON.stringify(keySet),
    SMTP_URL: 'smtp://127.0.0.1:9',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    STRIPE_API_BASE: 'http://127.0.0.1:9',
    RATE_LIMIT_FACTOR: '100000',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
  }
  /** Starts a process. The service's own have the settings that the launcher gives to one without an IPC channel. */
  const start = async (command: string, extra: Record<string, string> = {}) => {
    const port = await freePort()
    const isScript = command.includes('/')
    const [script, args] = isScript ? [command, []] : ['../bin/flightline.mjs', [command]]
    const settings = isScript ? { flags: [], env: {} } : nodeSettings()
    const child = fork(join(import.meta.dirname, script), args, {
      execArgv: settings.flags,
      env: { ...process.env, ...env, ...settings.env, ...extra, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    children.push(child)
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`${command} ended with ${code}`)
      }),
    ])
    return { url: `http://127.0.0.1:${port}`, pid: child.pid! }
  }
  return {
    databaseUrl,
    database,
    env,
    place: { core: { database, tokens, clock: systemClock }, clock: { now: new Date() } },
    start,
    serve: async (command, extra) => (await start(command, extra)).url,
    async run<Row>(query: RawBuilder<Row>) {
      const { sql, parameters } = query.compile(database.db)
      const client = new pg.Client({ connectionString: ownerUrl })
      await client.connect()
      try {
        return (await client.query(sql, [...parameters])).rows as Row[]
      } finally {
        await client.end()
      }
    },
    atEnd: (work) => endings.push(work),
    async close() {
      for (const ending of endings) await ending()
      for (const child of children) {
        if (child.exitCode !== null) continue
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
      await database.close()
      await stop()
    },
  }
}
