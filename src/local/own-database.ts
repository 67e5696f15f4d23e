import pg from 'pg'
import type { Config } from '../shared/config/config.ts'
import { startEmbeddedPostgres } from './postgres/embedded-postgres.ts'
import type { RunningParts } from './running-parts.ts'

const DATABASE = 'flightline'

export interface DatabaseServer {
  url: string
  /** Settles with one line when our own server ends though nobody stopped it. */
  died: Promise<string>
}

/** The database that the environment names, or one of our own in DATA_DIR, made at the first start. */
export async function openDatabaseServer(
  config: Config,
  { durable }: { durable: boolean },
  parts: RunningParts,
): Promise<DatabaseServer> {
  if (config.DATABASE_URL) return { url: config.DATABASE_URL, died: new Promise(() => undefined) }
  const server = await startEmbeddedPostgres({ dataDir: config.DATA_DIR, durable })
  let stopping = false
  await parts.add('database', async () => {
    stopping = true
    await server.stop()
  })
  await createDatabase(server.url('postgres'))
  return {
    url: server.url(DATABASE),
    died: new Promise((resolve) => {
      void server.ended.then((how) => stopping || resolve(`PostgreSQL ended unexpectedly (${how})`))
    }),
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE])
    if (!rowCount) await client.query(`create database ${DATABASE}`)
  } finally {
    await client.end()
  }
}
