import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/local/postgres/embedded-postgres.ts'
import { migrate } from '../../src/shared/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests' PostgreSQL listens, with credentials and without a database name. */
    postgresUrl: string
  }
}

export const TEMPLATE = 'flightline_template'
/** What the name of a test file's database begins with. */
export const CLONE = 'flightline_test_'

/** About twice what the databases of all test files take together. */
const ALL_DATABASES_BYTES = 8 * 1024 ** 3

/** Nothing of a run is kept, and no database of it lives long enough to be tidied or written out. */
const forgetful = {
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  io_method: 'sync',
  max_wal_size: '2GB',
  checkpoint_timeout: '1h',
}

/**
 * One PostgreSQL for the whole run, with a template database that each test file clones. `TEST_DATABASE_URL` names
 * another server to use: its user must be allowed to create databases.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL
  const dataDir = await mkdtemp(join(await fastestFolder(), 'flightline-test-'))
  // When root runs the tests, PostgreSQL's own user must get in.
  await chmod(dataDir, 0o755)
  const server = given ? undefined : await startEmbeddedPostgres({ dataDir, durable: false, settings: forgetful })
  const base = given ?? server?.url('postgres') ?? ''
  const admin = new pg.Client({ connectionString: base })
  await admin.connect()
  await admin.query(`drop database if exists ${TEMPLATE} with (force)`)
  await admin.query(`create database ${TEMPLATE}`)
  await admin.end()
  await prepareTemplate(withDatabase(base, TEMPLATE))
  project.provide('postgresUrl', base)
  return async () => {
    if (given) await dropClones(base)
    await server?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/**
 * In memory where there is room for all databases of a run: a clone takes a twentieth of the time that it takes on a
 * disk. Otherwise where temporary files go.
 */
async function fastestFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null)
  return memory && memory.bavail * memory.bsize > ALL_DATABASES_BYTES ? '/dev/shm' : tmpdir()
}

async function dropClones(url: string): Promise<void> {
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const { rows } = await admin.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [CLONE],
  )
  for (const { name } of rows) await admin.query(`drop database ${name} with (force)`)
  await admin.end()
}

/** Migrates a database and gives it the tables of the queues. */
export async function prepareTemplate(url: string): Promise<void> {
  await migrate({ ownerUrl: url, tell: () => undefined })
}

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
