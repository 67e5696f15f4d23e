import { createHmac } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '../../src/shared/platform/config/config.ts'
import { singleClient } from '../../src/shared/platform/db/single-client.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../postgres/embedded-postgres.ts'
import { loadOrCreateDevSecrets } from './dev-secrets.ts'
import { ShutdownSequence } from './shutdown-sequence.ts'

const DATABASE = 'flightline'
const SERVICE_ROLE = 'flightline_service'

/** Delays in milliseconds before each restart of a server that ended; after the last one, everything stops. */
const BACK_OFF_MS = [250, 1_000, 2_000, 5_000, 10_000]
/** When a server has run longer than this, in milliseconds, the delays start from the first again. */
const STEADY_MS = 60_000

export interface DatabaseServer {
  /** The connection string of the service, whose role owns no tables. */
  url: string
  /** The connection string of the tables' owner, for migrations. */
  ownerUrl: string
  /** Resolves with one line when the embedded server ended and is not restarted. */
  exited: Promise<string>
}

/**
 * Returns the database that the environment names, or an embedded one in DATA_DIR, created at the first start. An
 * embedded server that ends unexpectedly is restarted on the same port.
 */
export async function openDatabaseServer(
  config: Config,
  { durable }: { durable: boolean },
  parts: ShutdownSequence,
): Promise<DatabaseServer> {
  if (config.DATABASE_URL) {
    const ownerUrl = config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL
    return { url: config.DATABASE_URL, ownerUrl, exited: new Promise(() => undefined) }
  }
  const options = { dataDir: config.DATA_DIR, durable }
  const server = await startEmbeddedPostgres(options)
  const kept = keepUp(server, options)
  await parts.add('database', kept.stop)
  await createDatabase(server.url('postgres'))
  return { url: serviceUrl(server.url(DATABASE)), ownerUrl: server.url(DATABASE), exited: kept.exited }
}

/**
 * Runs `work` with the embedded database of `DATA_DIR` and shuts the database down. The database and the secrets are
 * created when they are missing. New secrets contain the keys of `AUTH_KEYS` and `RECORD_KEYS`, when set, so that a later
 * start uses the same keys.
 * @throws DataDirInUse when another process uses the directory.
 */
export async function onEmbeddedDatabase(given: Config, work: (config: Config) => Promise<void>): Promise<void> {
  const parts = new ShutdownSequence()
  try {
    const { url, ownerUrl } = await openDatabaseServer(given, { durable: true }, parts)
    const keys = { authKeys: given.AUTH_KEYS, recordKeys: given.RECORD_KEYS }
    const { authKeys, recordKeys } = await loadOrCreateDevSecrets(given.DATA_DIR, keys)
    const sets = { AUTH_KEYS: given.AUTH_KEYS ?? authKeys, RECORD_KEYS: given.RECORD_KEYS ?? recordKeys }
    await work({ ...given, DATABASE_URL: url, MIGRATION_DATABASE_URL: ownerUrl, ...sets })
  } finally {
    await parts.stop()
  }
}

function keepUp(first: EmbeddedPostgres, options: EmbeddedPostgresOptions) {
  const stopping = new AbortController()
  let server = first
  let starting: Promise<unknown> = Promise.resolve()

  async function watch(): Promise<string> {
    let reason = ''
    for (let failures = 0, since = performance.now(); ; failures++) {
      const how = reason || (await server.ended)
      if (stopping.signal.aborted) return new Promise(() => undefined)
      if (performance.now() - since > STEADY_MS) failures = 0
      const pauseMs = BACK_OFF_MS[failures]
      if (pauseMs === undefined) return `PostgreSQL ended unexpectedly (${how}) and does not stay up`
      process.stderr.write(`flightline: PostgreSQL ended unexpectedly (${how}); starting it again\n`)
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return new Promise(() => undefined)
      const again = startEmbeddedPostgres({ ...options, settings: { port: String(first.port) } })
      starting = again.catch(() => undefined)
      since = performance.now()
      const outcome = await again.catch((error: Error) => error)
      reason = outcome instanceof Error ? (outcome.message.split('\n')[0] ?? '') : ''
      if (!(outcome instanceof Error)) server = outcome
    }
  }

  return {
    exited: watch(),
    async stop() {
      stopping.abort()
      await starting
      await server.stop()
    },
  }
}

/** Returns the connection string of the service's own role. Its password is derived one-way from the owner's password. */
export function serviceUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  url.password = createHmac('sha256', url.password).update(SERVICE_ROLE).digest('base64url')
  url.username = SERVICE_ROLE
  return url.href
}

async function createDatabase(url: string): Promise<void> {
  const client = singleClient({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (!rowCount) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
